// Plots over time: a sensor, a coordinate, a control or the energy each.
import uPlot from 'uplot';
import { h } from './dom.js';

const KEEP = 1500; // points
const COLOURS = ['#6cb2ff', '#ffb454', '#7ee0a2', '#ff7b9c', '#c49bff', '#f2e26b'];

// Everything that can be plotted: name, and function that reads its values from a frame.
function sources(model) {
  const sensors = model.all('sensor').map((name, id) => {
    const from = model.sensor_adr[id], to = from + model.sensor_dim[id];
    return { name, read: f => [...f.sensordata.subarray(from, to)] };
  });
  const joints = model.all('jnt').map((name, id) => {
    const from = model.jnt_qposadr[id], to = from + [7, 4, 1, 1][model.jnt_type[id]];
    return { name: `${name} (position)`, read: f => [...f.qpos.subarray(from, to)] };
  });
  const controls = model.all('actuator').map((name, id) => ({ name: `${name} (control)`, read: f => [f.ctrl[id]] }));
  return [{ name: 'energy (potential, kinetic)', read: f => f.energy }, ...sensors, ...joints, ...controls];
}

export class Plots {
  constructor(model) {
    this.sources = sources(model);
    this.select = h('select', { 'aria-label': 'What to plot', onchange: () => { this.add(+this.select.value); this.select.value = ''; } },
      h('option', { value: '' }, 'Plot…'), this.sources.map((s, i) => h('option', { value: i }, s.name)));
    this.list = h('div.charts');
    this.element = h('section.plots', { hidden: true }, h('header', {}, this.select), this.list);
    this.charts = [];
    this.last = -Infinity;
  }

  add(index) {
    const source = this.sources[index];
    const close = h('button', { title: 'Close', onclick: () => this.remove(chart) }, '×');
    const box = h('div.chart', {}, h('header', {}, source.name, h('span.grow'), close));
    const chart = { source, box, data: null, plot: null };
    this.charts.push(chart);
    this.list.append(box);
  }

  remove(chart) {
    chart.plot?.destroy();
    chart.box.remove();
    this.charts.splice(this.charts.indexOf(chart), 1);
  }

  show(frame) {
    if (this.charts.length === 0) return;
    const restarted = frame.time < this.last;
    if (frame.time === this.last) return;
    this.last = frame.time;
    this.charts.forEach(chart => this.extend(chart, frame, restarted));
  }

  extend(chart, frame, restarted) {
    const values = chart.source.read(frame);
    if (!chart.data || restarted) chart.data = [[], ...values.map(() => [])];
    [frame.time, ...values].forEach((v, k) => { chart.data[k].push(v); if (chart.data[k].length > KEEP) chart.data[k].shift(); });
    if (!chart.plot) chart.plot = draw(chart, values.length);
    const [width, height] = [chart.box.clientWidth - 8, 150];
    if (chart.plot.width !== width && width > 0) chart.plot.setSize({ width, height });
    if (!this.element.hidden) chart.plot.setData(chart.data);
  }
}

function draw(chart, count) {
  const axis = { stroke: '#9aa7b8', grid: { stroke: '#ffffff14' }, ticks: { stroke: '#ffffff22' }, font: '11px system-ui' };
  const series = [{}, ...Array.from({ length: count }, (_, k) => ({ stroke: COLOURS[k % COLOURS.length], width: 1.5 }))];
  return new uPlot({ width: 300, height: 150, series, axes: [axis, { ...axis, size: 56 }], scales: { x: { time: false } },
    legend: { show: false }, cursor: { drag: { x: true, y: false } } }, chart.data, chart.box);
}
