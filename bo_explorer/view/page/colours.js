// Viridis and cividis: even steps of lightness, readable without colour vision and in print.
const STOPS = {
  mean: ['440154', '482878', '3e4989', '31688e', '26828e', '1f9e89', '35b779', '6ece58', 'b5de2b', 'fde725'],
  std: ['00224e', '123570', '3b496c', '575d6d', '707173', '8a8678', 'a59c74', 'c3b369', 'e1cc55', 'fee838'],
};

const table = (stops) => {
  const points = stops.map((hex) => [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  const colours = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; i += 1) {
    const place = (i / 255) * (points.length - 1);
    const left = Math.min(Math.floor(place), points.length - 2);
    for (let c = 0; c < 3; c += 1) {
      colours[3 * i + c] = points[left][c] + (place - left) * (points[left + 1][c] - points[left][c]);
    }
  }
  return colours;
};

export const COLOURS = { mean: table(STOPS.mean), std: table(STOPS.std) };

/** Float32 numbers out of base64, NaN where there is none. */
export const decode = (text) => {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Float32Array(bytes.buffer);
};

/** One layer of a map as an image, a pixel a cell, north up. */
export const paint = (cells, map, layer) => {
  const { low, high } = map.layers[layer];
  const image = new ImageData(map.width, map.height);
  const colours = COLOURS[layer];
  for (let row = 0; row < map.height; row += 1) {
    for (let column = 0; column < map.width; column += 1) {
      const value = cells[row * map.width + column];
      if (Number.isNaN(value)) { continue; }
      const share = high > low ? (value - low) / (high - low) : 0.5;
      const colour = 3 * Math.round(255 * share);
      const pixel = 4 * ((map.height - 1 - row) * map.width + column);
      image.data.set([colours[colour], colours[colour + 1], colours[colour + 2], 255], pixel);
    }
  }
  const canvas = document.createElement('canvas');
  canvas.width = map.width;
  canvas.height = map.height;
  canvas.getContext('2d').putImageData(image, 0, 0);
  return canvas;
};

export const paintBar = (canvas, layer) => {
  const image = new ImageData(canvas.width, 1);
  for (let i = 0; i < canvas.width; i += 1) {
    const colour = 3 * Math.round((255 * i) / (canvas.width - 1));
    image.data.set([...COLOURS[layer].slice(colour, colour + 3), 255], 4 * i);
  }
  canvas.getContext('2d').putImageData(image, 0, 0);
};
