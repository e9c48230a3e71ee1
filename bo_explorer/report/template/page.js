'use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const tip = document.getElementById('tip');
  const names = { map: 'http://www.w3.org/2000/svg' };

  const nearestAlong = (values, x) => {
    let low = 0;
    let high = values.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (values[middle] <= x) { low = middle; } else { high = middle; }
    }
    return Math.abs(values[high] - x) < Math.abs(values[low] - x) ? high : low;
  };

  const lastBefore = (values, x) => {
    let found = 0;
    values.forEach((value, index) => { if (value <= x) { found = index; } });
    return found;
  };

  const nearestPlace = (map, x, y) => {
    let found = -1;
    let least = Infinity;
    map.x.forEach((east, index) => {
      const distance = (east - x) ** 2 + (map.y[index] - y) ** 2;
      if (distance < least) { least = distance; found = index; }
    });
    return Math.sqrt(least) <= map.reach ? found : -1;
  };

  const placeText = (map, index) => {
    const unit = map.unit ? ` ${map.unit}` : '';
    let text = `(${map.x[index]}, ${map.y[index]}) m\nbelief ${map.mean[index]} ± ${map.std[index]}${unit}`;
    if (map.truth) { text += `\ntruth ${map.truth[index]}${unit}`; }
    return text;
  };

  const show = (text, event) => {
    tip.textContent = text;
    tip.hidden = false;
    const box = tip.getBoundingClientRect();
    const left = Math.min(event.clientX + 14, window.innerWidth - box.width - 6);
    const below = event.clientY + 18;
    const top = below + box.height > window.innerHeight ? event.clientY - box.height - 12 : below;
    tip.style.left = `${Math.max(left, 4)}px`;
    tip.style.top = `${Math.max(top, 4)}px`;
  };

  const attach = (svg) => {
    const chart = data.charts[svg.id];
    const isMap = svg.closest('.map') !== null;
    if (!chart && !(isMap && data.map)) { return; }
    const [left, top, width, height] = svg.dataset.plot.split(' ').map(Number);
    const [x0, x1, y0, y1] = svg.dataset.domain.split(' ').map(Number);
    const mark = document.createElementNS(names.map, isMap ? 'circle' : 'line');
    mark.setAttribute('class', 'cursor');
    mark.setAttribute('visibility', 'hidden');
    svg.append(mark);
    const leave = () => { tip.hidden = true; mark.setAttribute('visibility', 'hidden'); };
    svg.addEventListener('pointerleave', leave);
    svg.addEventListener('pointermove', (event) => {
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
      if (at.x < left || at.x > left + width || at.y < top || at.y > top + height) { leave(); return; }
      const x = x0 + (at.x - left) / width * (x1 - x0);
      const y = y1 - (at.y - top) / height * (y1 - y0);
      if (isMap) {
        const index = nearestPlace(data.map, x, y);
        if (index < 0) { leave(); return; }
        mark.setAttribute('cx', left + (data.map.x[index] - x0) / (x1 - x0) * width);
        mark.setAttribute('cy', top + (y1 - data.map.y[index]) / (y1 - y0) * height);
        mark.setAttribute('r', 5);
        show(placeText(data.map, index), event);
      } else {
        const index = chart.steps ? lastBefore(chart.x, x) : nearestAlong(chart.x, x);
        const place = left + (chart.x[index] - x0) / (x1 - x0) * width;
        mark.setAttribute('x1', place);
        mark.setAttribute('x2', place);
        mark.setAttribute('y1', top);
        mark.setAttribute('y2', top + height);
        show(chart.texts[index], event);
      }
      mark.setAttribute('visibility', 'visible');
    });
  };
  document.querySelectorAll('svg[data-plot]').forEach(attach);

  // Paper cannot be unfolded.
  let closed = [];
  window.addEventListener('beforeprint', () => {
    closed = [...document.querySelectorAll('details:not([open])')];
    closed.forEach((element) => { element.open = true; });
  });
  window.addEventListener('afterprint', () => closed.forEach((element) => { element.open = false; }));
})();
