import { decode, paint, paintBar } from './colours.js';
import { aspect, draw } from './drawing.js';

const SILENT_S = 5;
const STALE_MS = 4000;
const RETRY_MS = [500, 1000, 2000, 4000];
const WORDS = {
  idle: 'Not started',
  waiting: 'Waiting',
  planning: 'Deciding',
  moving: 'Flying',
  measuring: 'Measuring',
  returning: 'Flying home',
  paused: 'Paused',
  suspended: 'Interrupted',
  hold: 'Holding',
  done: 'Home',
};
const ALLOWED = {
  start: (state) => state === 'idle',
  pause: (state) => ['waiting', 'planning', 'moving', 'measuring', 'returning', 'suspended'].includes(state),
  resume: (state) => state === 'paused',
  return_home: (state) => !['idle', 'returning', 'done'].includes(state),
};

const $ = (id) => document.getElementById(id);
const meta = (name) => document.querySelector(`meta[name=${name}]`).content;
const say = (id, text) => { if ($(id).textContent !== text) { $(id).textContent = text; } };
const isNumber = (value) => typeof value === 'number' && Number.isFinite(value);
const metres = (value) => (isNumber(value) ? `${value.toFixed(Math.abs(value) < 100 ? 1 : 0)} m` : '–');
const amount = (value, digits = 4) => (isNumber(value) ? Number(value.toPrecision(digits)).toString() : '–');
const estimate = (mean, std) => {
  if (!isNumber(std) || std <= 0) { return amount(mean); }
  // Two digits of the doubt, and as many decimals of what is doubted.
  const decimals = Math.min(Math.max(1 - Math.floor(Math.log10(std)), 0), 6);
  return `${mean.toFixed(decimals)} ± ${std.toFixed(decimals)}`;
};
const place = (x, y) => `${x.toFixed(1)}, ${y.toFixed(1)} m`;

let record = null;
let map = null;
let live = null;
let cells = {};
let image = null;
let view = null;
let pointer = null;
let isConnected = false;
let isBusy = false;
let heardAt = 0;
let attempt = 0;
let isDue = false;

const layer = () => document.querySelector('input[name=layer]:checked').value;

const budgetParts = () => {
  const total = record?.budget_m ?? 0;
  const reserve = record?.reserve_m ?? 0;
  const spent = record?.spent_m ?? 0;
  const committed = live?.budget?.committed_m ?? 0;
  return { total, spent, committed, reserve, free: Math.max(total - spent - committed - reserve, 0) };
};

const showBudget = () => {
  if (!record) { return; }
  const parts = budgetParts();
  const whole = Math.max(parts.total, parts.spent + parts.committed + parts.free, 1e-9);
  const kept = Math.max(Math.min(parts.reserve, whole - parts.spent - parts.committed), 0);
  const shares = { ...parts, reserve: kept };
  for (const name of ['spent', 'committed', 'free', 'reserve']) {
    $('budget').querySelector(`.${name}`).style.width = `${(100 * shares[name]) / whole}%`;
    say(name, metres(parts[name]));
  }
  const text = `${metres(parts.spent)} of ${metres(parts.total)} spent, ${metres(parts.committed)} committed, `
    + `${metres(parts.reserve)} kept in reserve`;
  $('budget').setAttribute('aria-label', text);
  $('budget').title = text;
};

const showEvents = () => {
  const items = record.events.toReversed().map(([, spent, state, reason]) => {
    const item = document.createElement('li');
    const at = document.createElement('time');
    at.textContent = metres(spent);
    const text = document.createElement('span');
    const word = document.createElement('b');
    word.textContent = WORDS[state] ?? state;
    text.append(word, ` ${reason}`);
    item.append(at, text);
    return item;
  });
  $('events').replaceChildren(...items);
};

const showRecord = () => {
  say('state', WORDS[record.state] ?? record.state);
  $('state').dataset.state = record.state;
  say('reason', record.reason);
  document.title = `${WORDS[record.state] ?? record.state} – bo_explorer`;
  const { best } = record;
  if (best && isNumber(best.mean)) {
    say('best', estimate(best.mean, best.std));
    say('best-place', `at ${place(best.x, best.y)}`);
  } else {
    say('best', '–');
    say('best-place', 'Nothing has been measured yet.');
  }
  const refused = Object.values(record.rejections).reduce((sum, n) => sum + n, 0);
  say('flown', metres(record.flown_m));
  say('targets', `${record.waypoints.length}`);
  say('readings', `${record.n_readings}${refused ? `, ${refused} refused` : ''}`);
  say('policy', record.policy || '–');
  say('decision', isNumber(record.decision_ms) ? `${record.decision_ms.toFixed(0)} ms` : '–');
  showEvents();
};

const showLive = () => {
  say('vehicle', live.pose ? place(live.pose.x, live.pose.y) + (live.pose.is_old ? ' (old)' : '') : '–');
  say('battery', isNumber(live.battery) ? `${(100 * live.battery).toFixed(0)} %` : 'unknown');
  $('warnings').hidden = !live.warnings.length;
  if ([...$('warnings').children].map((item) => item.textContent).join('\n') !== live.warnings.join('\n')) {
    $('warnings').replaceChildren(...live.warnings.map((text) => {
      const item = document.createElement('li');
      item.textContent = text;
      return item;
    }));
  }
};

const silence = () => {
  if (!isConnected) { return 'Connection to the view lost; trying again.'; }
  if (Date.now() - heardAt > STALE_MS) { return 'The view has stopped sending pictures; what you see is old.'; }
  if (!live) { return null; }
  if (live.silent_s === null) { return `No explorer heard yet in ${meta('place')}.`; }
  return live.silent_s > SILENT_S
    ? `No word from the explorer for ${live.silent_s.toFixed(0)} s; what you see is old.` : null;
};

const showSilence = () => {
  const text = silence();
  $('notice').hidden = text === null;
  if (text !== null) { say('notice', text); }
  document.body.classList.toggle('is-silent', text !== null);
  const isReachable = isConnected && live !== null && live.silent_s !== null;
  document.querySelectorAll('[data-command]').forEach((button) => {
    button.disabled = isBusy || !isReachable || !ALLOWED[button.dataset.command](record?.state);
  });
};

const valueAt = (x, y) => {
  if (!map?.width) { return null; }
  const [column, row] = [Math.round((x - map.x) / map.spacing), Math.round((y - map.y) / map.spacing)];
  if (column < 0 || row < 0 || column >= map.width || row >= map.height) { return null; }
  const index = row * map.width + column;
  return Number.isNaN(cells.mean[index]) ? null : [cells.mean[index], cells.std[index]];
};

const showReadout = () => {
  if (!pointer || !view) { say('readout', 'Point at the map to read it.'); return; }
  const [x, y] = view.place(...pointer);
  const value = valueAt(x, y);
  say('readout', place(x, y) + (value ? `: ${estimate(...value)}` : ''));
};

const redraw = () => {
  isDue = false;
  const scene = {
    map,
    image,
    area: record?.area ?? [],
    zones: record?.zones ?? [],
    home: record?.home ?? null,
    track: record?.track ?? [],
    visited: record?.waypoints ?? [],
    samples: record?.samples ?? [],
    best: record?.best ?? null,
    vehicle: live?.pose ?? null,
    path: live?.path ?? [],
    waypoint: live?.waypoint ?? null,
  };
  if (scene.vehicle && scene.track.length) { scene.track = [...scene.track, [scene.vehicle.x, scene.vehicle.y]]; }
  const target = scene.path.at(-1);
  if (target) { scene.visited = scene.visited.filter(([x, y]) => Math.hypot(x - target[0], y - target[1]) > 0.01); }
  if (scene.area.length) { document.querySelector('.canvas').style.setProperty('--aspect', aspect(scene.area)); }
  view = draw($('map'), scene);
  showReadout();
};

const redrawSoon = () => {
  if (!isDue) {
    isDue = true;
    requestAnimationFrame(redraw);
  }
};

const repaint = () => {
  const chosen = layer();
  const range = map?.width ? map.layers[chosen] : null;
  image = range ? paint(cells[chosen], map, chosen) : null;
  $('empty').hidden = image !== null;
  say('low', range ? amount(range.low, 3) : '');
  say('high', range ? amount(range.high, 3) : '');
  paintBar($('bar'), chosen);
  redrawSoon();
};

const take = (news) => {
  heardAt = Date.now();
  if ('live' in news) { live = news.live; showLive(); }
  if ('record' in news) {
    record = news.record;
    if (record) { showRecord(); }
  }
  if ('map' in news) {
    map = news.map;
    cells = {};
    Object.entries(map?.layers ?? {}).forEach(([name, values]) => { cells[name] = decode(values.cells); });
    repaint();
  }
  showBudget();
  showSilence();
  redrawSoon();
};

const connect = () => {
  const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/live`);
  socket.onopen = () => { isConnected = true; attempt = 0; heardAt = Date.now(); showSilence(); };
  socket.onmessage = (event) => take(JSON.parse(event.data));
  socket.onclose = () => {
    isConnected = false;
    showSilence();
    setTimeout(connect, RETRY_MS[Math.min(attempt, RETRY_MS.length - 1)]);
    attempt += 1;
  };
};

const isSure = (button) => new Promise((resolve) => {
  if (!button.dataset.confirm) { resolve(true); return; }
  const dialog = $('confirm');
  say('confirm-title', `${button.textContent}?`);
  say('confirm-text', button.dataset.confirm);
  say('confirm-go', button.textContent);
  dialog.returnValue = 'no';
  // The event comes late: the dialog may have been opened anew by then.
  dialog.onclose = () => { if (!dialog.open) { resolve(dialog.returnValue === 'yes'); } };
  dialog.showModal();
});

const command = async (button) => {
  if (!await isSure(button)) { return; }
  isBusy = true;
  showSilence();
  let answer;
  try {
    const response = await fetch(`command/${button.dataset.command}`, {
      method: 'POST', headers: { 'X-View-Token': meta('token') },
    });
    answer = response.ok ? await response.json() : { success: false, message: await response.text() };
    if (response.status === 403) { answer.message = 'The view was started anew; reload this page.'; }
  } catch {
    answer = { success: false, message: 'the view cannot be reached' };
  }
  isBusy = false;
  $('answer').classList.toggle('failed', !answer.success);
  say('answer', `${button.textContent}: ${answer.message}`);
  showSilence();
};

document.querySelectorAll('[data-command]').forEach((button) => {
  button.addEventListener('click', () => command(button));
});
document.querySelectorAll('input[name=layer]').forEach((input) => input.addEventListener('change', repaint));
$('map').addEventListener('pointermove', (event) => {
  pointer = [event.offsetX, event.offsetY];
  showReadout();
});
$('map').addEventListener('pointerleave', () => { pointer = null; showReadout(); });
new ResizeObserver(redrawSoon).observe($('map'));
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawSoon);
setInterval(showSilence, 1000);
repaint();
showSilence();
connect();
