// Labels of shapes, drawn over the view.
import * as THREE from 'three';

export class Labels {
  constructor(parent) {
    this.layer = document.createElement('div');
    this.layer.className = 'labels';
    parent.append(this.layer);
  }

  show(frame, camera, width, height) {
    const named = frame.shapes.filter(s => s.label);
    while (this.layer.childElementCount > named.length) this.layer.lastChild.remove();
    while (this.layer.childElementCount < named.length) this.layer.append(document.createElement('span'));
    const at = new THREE.Vector3();
    named.forEach((shape, i) => {
      const span = this.layer.children[i];
      at.fromArray(shape.pos).project(camera);
      span.hidden = at.z > 1 || Math.abs(at.x) > 1 || Math.abs(at.y) > 1;
      if (span.textContent !== shape.label) span.textContent = shape.label;
      span.style.transform = `translate(${(0.5 + at.x / 2) * width}px, ${(0.5 - at.y / 2) * height}px)`;
    });
  }
}
