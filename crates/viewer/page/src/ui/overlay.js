// What a process lays over the picture: texts in corners, images and figures in rectangles from the lower left.
import { h } from './dom.js';

const PLACES = ['top left', 'top right', 'bottom left', 'bottom right', 'top', 'bottom', 'left', 'right']; // mjtGridPos

export class Overlay {
  constructor(view) { this.layer = h('div.overlay'); view.append(this.layer); }

  show({ texts = [], images = [], figures = [] }) {
    const place = (element, [left, bottom, width, height]) => {
      Object.assign(element.style, { left: `${left}px`, bottom: `${bottom}px`, width: `${width}px`, height: `${height}px` });
      return element;
    };
    this.layer.replaceChildren(
      ...images.map(({ rect, png }) => place(h('img.placed', { src: `data:image/png;base64,${png}`, alt: '' }), rect)),
      ...figures.map(figure => place(chart(figure), figure.rect)),
      ...texts.map(({ place: at, left, right }) => h(`div.words.${(PLACES[at] ?? PLACES[0]).replace(' ', '.')}`, {}, h('pre', {}, left), h('pre', {}, right))));
  }
}

const css = ([r, g, b, a = 1]) => `rgb(${255 * r} ${255 * g} ${255 * b} / ${a})`;

// Lines of a figure, each a list of x and y in turn.
function chart({ rect: [, , width, height], title, back, lines, range }) {
  const canvas = h('canvas.placed', { width, height }), g = canvas.getContext('2d');
  const points = lines.flatMap(l => l.points), xs = points.filter((_, i) => i % 2 === 0), ys = points.filter((_, i) => i % 2 === 1);
  const span = (set, values) => set[0] < set[1] ? set : [Math.min(...values, 0), Math.max(...values, 1e-9)];
  const [x0, x1] = span(range[0], xs), [y0, y1] = span(range[1], ys), edge = 24;
  const at = (x, y) => [edge + (width - 2 * edge) * (x - x0) / (x1 - x0), height - edge - (height - 2 * edge) * (y - y0) / (y1 - y0)];
  g.fillStyle = css(back); g.fillRect(0, 0, width, height);
  g.strokeStyle = '#ffffff55'; g.strokeRect(edge, edge, width - 2 * edge, height - 2 * edge);
  g.fillStyle = '#fff'; g.font = '12px system-ui'; g.textAlign = 'center';
  g.fillText(title, width / 2, 16);
  [[x0, ...at(x0, y0)], [x1, ...at(x1, y0)]].forEach(([v, x, y]) => g.fillText(v.toPrecision(3), x, y + 14));
  for (const { points: p, colour } of lines) {
    g.strokeStyle = css(colour); g.lineWidth = 1.5; g.beginPath();
    for (let i = 0; i < p.length; i += 2) g.lineTo(...at(p[i], p[i + 1]));
    g.stroke();
  }
  return canvas;
}
