// The map on its canvas. Places are metres, x to the right and y up.
const DARK = '#14181d';
const LIGHT = '#ffffff';
const PLAN = '#ff9a3d';
const BEST = '#ffd23f';
const MARGIN = 26;

/** Width over height of everything that is searched. */
export const aspect = (rings) => {
  const [xs, ys] = [0, 1].map((axis) => rings.flat().map((place) => place[axis]));
  const [width, height] = [xs, ys].map((values) => Math.max(...values) - Math.min(...values));
  return width > 0 && height > 0 ? Math.min(Math.max(width / height, 0.6), 2.5) : 1;
};

/** The largest view of all that must be seen, or null before the area is known. */
export const fit = (scene, width, height) => {
  if (!scene.area.length) { return null; }
  const places = [...scene.area.flat(), ...scene.zones.flat()];
  if (scene.home) { places.push(scene.home); }
  if (scene.vehicle) { places.push([scene.vehicle.x, scene.vehicle.y]); }
  const xs = places.map((place) => place[0]);
  const ys = places.map((place) => place[1]);
  const [left, right] = [Math.min(...xs), Math.max(...xs)];
  const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
  const scale = Math.min(
    (width - 2 * MARGIN) / Math.max(right - left, 1e-6), (height - 2 * MARGIN) / Math.max(top - bottom, 1e-6),
  );
  const [x0, y0] = [(left + right) / 2, (bottom + top) / 2];
  return {
    scale,
    pixel: (x, y) => [width / 2 + (x - x0) * scale, height / 2 - (y - y0) * scale],
    place: (px, py) => [x0 + (px - width / 2) / scale, y0 - (py - height / 2) / scale],
  };
};

const trace = (pen, view, line, isClosed) => {
  line.forEach(([x, y], index) => {
    const [px, py] = view.pixel(x, y);
    if (index) { pen.lineTo(px, py); } else { pen.moveTo(px, py); }
  });
  if (isClosed) { pen.closePath(); }
};

const outline = (pen, view, rings) => {
  pen.beginPath();
  rings.forEach((ring) => trace(pen, view, ring, true));
};

const stroke = (pen, view, line, colour, width, dash = []) => {
  if (line.length < 2) { return; }
  pen.lineJoin = 'round';
  pen.lineCap = dash.length ? 'butt' : 'round';
  for (const [style, extra, pattern] of [[DARK, 2.4, []], [colour, 0, dash]]) {
    pen.beginPath();
    trace(pen, view, line, false);
    pen.strokeStyle = style;
    pen.lineWidth = width + extra;
    pen.setLineDash(pattern);
    pen.stroke();
  }
  pen.setLineDash([]);
};

const shape = (pen, [x, y], points, fill, angle = 0) => {
  pen.save();
  pen.translate(x, y);
  pen.rotate(angle);
  pen.beginPath();
  points.forEach(([px, py], index) => (index ? pen.lineTo(px, py) : pen.moveTo(px, py)));
  pen.closePath();
  pen.fillStyle = fill;
  pen.strokeStyle = DARK;
  pen.lineWidth = 1.6;
  pen.lineJoin = 'round';
  pen.fill();
  pen.stroke();
  pen.restore();
};

const ring = (pen, [x, y], radius, colour, width) => {
  for (const [style, extra] of [[DARK, 2.4], [colour, 0]]) {
    pen.beginPath();
    pen.arc(x, y, radius, 0, 2 * Math.PI);
    pen.strokeStyle = style;
    pen.lineWidth = width + extra;
    pen.stroke();
  }
};

const dots = (pen, view, places, radius, fill) => {
  pen.beginPath();
  places.forEach(([x, y]) => {
    const [px, py] = view.pixel(x, y);
    pen.moveTo(px + radius, py);
    pen.arc(px, py, radius, 0, 2 * Math.PI);
  });
  pen.fillStyle = fill;
  pen.fill();
};

const hatch = (pen, view, zones, width, height) => {
  if (!zones.length) { return; }
  pen.save();
  outline(pen, view, zones);
  pen.fillStyle = '#3a424ccc';
  pen.fill();
  pen.clip();
  pen.beginPath();
  for (let x = -height; x < width; x += 9) {
    pen.moveTo(x, height);
    pen.lineTo(x + height, 0);
  }
  pen.strokeStyle = '#d5dae0';
  pen.lineWidth = 1.6;
  pen.stroke();
  pen.restore();
  outline(pen, view, zones);
  pen.strokeStyle = '#d5dae0';
  pen.lineWidth = 1.4;
  pen.stroke();
};

const STAR = Array.from({ length: 10 }, (_, i) => {
  const [radius, angle] = [i % 2 ? 4.6 : 10.5, (i * Math.PI) / 5];
  return [radius * Math.sin(angle), -radius * Math.cos(angle)];
});
const HOUSE = [[-7, 0], [0, -8], [7, 0], [7, 7], [-7, 7]];
const ARROW = [[0, -12], [8, 9], [0, 4], [-8, 9]];
const DIAMOND = [[0, -8], [8, 0], [0, 8], [-8, 0]];

const ruler = (pen, view, width, height, ink) => {
  const wanted = (width / 5) / view.scale;
  const step = 10 ** Math.floor(Math.log10(wanted));
  const length = [5, 2, 1].map((factor) => factor * step).find((each) => each <= wanted) ?? step;
  const [right, y] = [width - 12, height - 10];
  const left = right - length * view.scale;
  pen.strokeStyle = ink;
  pen.lineWidth = 1.6;
  pen.beginPath();
  pen.moveTo(left, y - 4);
  pen.lineTo(left, y);
  pen.lineTo(right, y);
  pen.lineTo(right, y - 4);
  pen.stroke();
  pen.fillStyle = ink;
  pen.font = '12px system-ui, sans-serif';
  pen.textAlign = 'right';
  pen.fillText(`${Number(length.toPrecision(3))} m`, left - 6, y);
};

/** Draw everything; the view that was used, or null, is returned. */
export const draw = (canvas, scene) => {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = window.devicePixelRatio || 1;
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== across || canvas.height !== down) {
    canvas.width = across;
    canvas.height = down;
  }
  const pen = canvas.getContext('2d');
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  const view = fit(scene, width, height);
  if (!view) { return null; }
  const ink = getComputedStyle(canvas).color;
  if (scene.image) {
    const { x, y, spacing, width: columns, height: rows } = scene.map;
    const [left, top] = view.pixel(x - spacing / 2, y + (rows - 0.5) * spacing);
    pen.save();
    outline(pen, view, scene.area);
    pen.clip();
    pen.imageSmoothingEnabled = false;
    pen.drawImage(scene.image, left, top, columns * spacing * view.scale, rows * spacing * view.scale);
    pen.restore();
  }
  hatch(pen, view, scene.zones, width, height);
  outline(pen, view, scene.area);
  pen.strokeStyle = ink;
  pen.lineWidth = 1.6;
  pen.stroke();
  dots(pen, view, scene.samples, 1.6, '#ffffffb0');
  stroke(pen, view, scene.track, LIGHT, 2);
  stroke(pen, view, scene.path, PLAN, 2.6, [8, 5]);
  scene.visited.forEach(([x, y]) => ring(pen, view.pixel(x, y), 3, LIGHT, 1.2));
  if (scene.home) { shape(pen, view.pixel(...scene.home), HOUSE, LIGHT); }
  if (scene.path.length) { ring(pen, view.pixel(...scene.path.at(-1)), 7, PLAN, 2.6); }
  if (scene.best) { shape(pen, view.pixel(scene.best.x, scene.best.y), STAR, BEST); }
  if (scene.waypoint) { dots(pen, view, [scene.waypoint], 3.4, PLAN); }
  if (scene.vehicle) {
    const { x, y, yaw, is_old: isOld } = scene.vehicle;
    const fill = isOld ? '#9aa3ad' : LIGHT;
    const hasYaw = yaw !== null && yaw !== undefined;
    shape(pen, view.pixel(x, y), hasYaw ? ARROW : DIAMOND, fill, hasYaw ? Math.PI / 2 - yaw : 0);
  }
  ruler(pen, view, width, height, ink);
  return view;
};
