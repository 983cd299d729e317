// Overlays that a process draws over the view: texts in corners, images and figures (as images too) in rectangles from
// the lower left.
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
      ...[...images, ...figures].map(({ rect, png }) => place(h('img.placed', { src: `data:image/png;base64,${png}`, alt: '' }), rect)),
      ...texts.map(({ place: at, left, right }) => h(`div.words.${(PLACES[at] ?? PLACES[0]).replace(' ', '.')}`, {}, h('pre', {}, left), h('pre', {}, right))));
  }
}
