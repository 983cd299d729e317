// The page in a headless browser: single-file pages, a server of models, and what both refuse.
import { after, before, describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { zipSync } from 'fflate';
import { found, open, state } from './browser.mjs';

const SINEW = process.env.SINEW_BINARY ?? new URL('../../../../target/debug/sinew', import.meta.url).pathname;
const MODEL = `<mujoco model="cart">
  <worldbody>
    <light pos="0 0 4"/>
    <geom name="floor" type="plane" size="3 3 .1" rgba=".3 .4 .5 1"/>
    <body name="cart" pos="0 0 .5"><joint name="slide" type="slide" axis="1 0 0" damping="1"/><geom type="box" size=".3 .3 .3" rgba=".9 .5 .2 1"/></body>
    <body name="ball" pos="1 1 1"><freejoint/><geom size=".2" rgba=".2 .6 .9 1"/></body>
  </worldbody>
  <actuator><motor name="push" joint="slide" ctrlrange="-2 2"/></actuator>
  <keyframe><key name="left" qpos="-1 1 1 1 1 0 0 0"/></keyframe>
</mujoco>`;
const skip = found ? false : 'no Chromium: install Debian\'s package, or set SINEW_CHROMIUM';
if (skip) console.log(`skipped: tests of the page, ${skip}`);
const SMALL = { width: 700, height: 420 };

// Starts a server of a model; returns it and its address.
async function serve(...args) {
  const server = spawn(SINEW, ['view', '--no-open', ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const address = await new Promise((done, fail) => {
    server.stdout.on('data', data => { const line = `${data}`.match(/http:\S+/); if (line) done(line[0]); });
    server.on('exit', code => fail(Error(`sinew view ended with ${code}`)));
  });
  return { server, address };
}

const centre = async page => { const box = await page.locator('canvas').boundingBox(); return [box.x + box.width / 2, box.y + box.height / 2]; };

describe('the page', { skip, timeout: 300000 }, () => {
  let folder, view, shown;
  const file = name => path.join(folder, name);
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'sinew-page-'));
    writeFileSync(file('cart.xml'), MODEL);
    view = await serve(file('cart.xml'));
    shown = await open(view.address, SMALL);
    await shown.ready();
  });
  after(async () => { await shown?.browser.close(); view?.server.kill(); rmSync(folder, { recursive: true }); });

  it('shows frames without complaints, and time advances', async () => {
    const first = (await state(shown.page)).time;
    await shown.page.waitForFunction(t => window.app.frame.time > t + 0.05, first);
    assert.deepEqual(shown.errors, []);
  });

  it('draws a picture that is not uniform', async () => {
    const colours = await shown.page.evaluate(() => {
      const { canvas } = window.app.stage, small = Object.assign(document.createElement('canvas'), { width: 40, height: 30 });
      const context = small.getContext('2d');
      context.drawImage(canvas, 0, 0, 40, 30);
      return new Set(new Uint32Array(context.getImageData(0, 0, 40, 30).data.buffer)).size;
    });
    assert.ok(colours > 20, `${colours} colours`);
  });

  it('turns the camera when dragged', async () => {
    const { page } = shown, before = await state(page), [x, y] = await centre(page);
    await page.mouse.move(x, y - 100); await page.mouse.down(); await page.mouse.move(x + 80, y - 80, { steps: 3 }); await page.mouse.up();
    await page.waitForFunction(eye => Math.abs(window.app.frame.camera.pos[0] - eye) > 1e-3, before.eye[0]);
  });

  it('pauses, steps, goes to keyframes and resets', async () => {
    const { page } = shown;
    await page.locator('canvas').focus();
    await page.keyboard.press('Space');
    await page.waitForFunction(() => !window.app.frame.running);
    await page.getByRole('button', { name: 'left', exact: true }).click();
    // the cart is there from the start, so time shows that the keyframe was set
    await page.waitForFunction(() => window.app.frame.time === 0 && Math.abs(window.app.frame.qpos[0] + 1) < 1e-6);
    const { time } = await state(page);
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(t => window.app.frame.time > t, time);
    await page.keyboard.press('Backspace');
    await page.waitForFunction(() => window.app.frame.time === 0 && Math.abs(window.app.frame.qpos[0]) < 1e-9);
  });

  it('sets controls by sliders', async () => {
    await shown.page.getByLabel('push', { exact: true }).first().fill('1.5');
    await shown.page.waitForFunction(() => Math.abs(window.app.frame.ctrl[0] - 1.5) < 1e-6);
  });

  it('selects what is double-clicked, and pulls it', async () => {
    const { page } = shown;
    await page.evaluate(() => { window.app.send(4); window.app.send(12); window.app.send(22, 0.5, 0.5, 1); });
    // the middle of the view, after the camera tracks the cart
    await page.evaluate(() => window.app.send(11, 1, 1));
    await page.waitForFunction(() => window.app.frame.cameraKind === 1);
    await page.waitForTimeout(300);
    const [x, y] = await centre(page);
    await page.mouse.dblclick(x, y);
    await page.waitForFunction(() => window.app.frame.select === 1);
    await page.evaluate(() => window.app.send(11, 0, 0));
    await page.keyboard.press('Space');
    const before = (await state(page)).qpos[0];
    await page.keyboard.down('Control');
    await page.mouse.move(x, y); await page.mouse.down({ button: 'right' });
    await page.mouse.move(x + 60, y, { steps: 3 });
    await page.waitForFunction(q => Math.abs(window.app.frame.qpos[0] - q) > 0.01, before);
    await page.mouse.up({ button: 'right' });
    await page.keyboard.up('Control');
  });

  it('loads a changed file again, and shows what is wrong with it', async () => {
    const { page } = shown;
    writeFileSync(file('cart.xml'), MODEL.replace('model="cart"', 'model="trolley"'));
    await page.waitForFunction(() => window.app.model?.title === 'trolley');
    writeFileSync(file('cart.xml'), MODEL.replace('type="slide" axis', 'type="slid" axis'));
    await page.locator('.reports .error').first().waitFor();
    assert.match(await page.locator('.reports .error').first().textContent(), /cart\.xml:5:/);
    assert.equal(await page.locator('.gutter .error').textContent(), '5\n');
    await page.waitForFunction(() => /\^/.test(window.app.notice.textContent));
    writeFileSync(file('cart.xml'), MODEL);
    await page.waitForFunction(() => window.app.notice.hidden && window.app.model?.title === 'cart');
  });

  it('takes models that are dropped, and edits of them', async () => {
    const { page } = shown;
    await page.evaluate(xml => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([xml], 'other.xml'));
      document.getElementById('app').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
    }, MODEL.replace('model="cart"', 'model="other"'));
    await page.waitForFunction(() => window.app.model?.title === 'other');
    await page.evaluate(() => { window.app.editor.element.hidden = false; });
    const text = await page.locator('textarea').inputValue();
    await page.locator('textarea').fill(text.replace('model="other"', 'model="edited"'));
    await page.waitForFunction(() => window.app.model?.title === 'edited');
  });

  it('plots, and takes a picture', async () => {
    const { page } = shown;
    await page.evaluate(() => { window.app.plots.element.hidden = false; window.app.plots.add(0); window.app.send(1, 1); });
    await page.locator('.chart canvas').waitFor();
    const type = await page.evaluate(async () => { const blob = await window.app.stage.png(); return [blob.type, blob.size > 1000]; });
    assert.deepEqual(type, ['image/png', true]);
  });

  it('draws wire frames, also of what comes later', async () => {
    const { page } = shown, wires = () => page.evaluate(() => {
      const solid = window.app.stage.shapes.objects.filter(o => o.material?.isMeshPhongMaterial);
      return [solid.length, solid.filter(o => o.material.wireframe).length];
    });
    await page.evaluate(() => { window.app.send(31, 1, 1); window.app.send(30, 2, 1); });
    await page.waitForFunction(() => window.app.frame.drawing[1] === 1 && window.app.frame.flags[2] === 1);
    const [all, wired] = await wires();
    assert.ok(all > 3 && wired === all, `${wired} of ${all}`);
    await page.evaluate(() => { window.app.send(31, 1, 0); window.app.send(30, 2, 0); });
    await page.waitForFunction(() => window.app.frame.drawing[1] === 0);
    assert.equal((await wires())[1], 0);
  });

  it('records a film', async () => {
    const { page } = shown, film = page.getByRole('button', { name: 'Record a film' });
    await film.click();
    await page.waitForTimeout(600);
    const [saved] = await Promise.all([page.waitForEvent('download'), film.click()]);
    const head = readFileSync(await saved.path());
    assert.match(saved.suggestedFilename(), /\.(webm|mp4)$/);
    assert.ok(head.length > 2000 && (head.readUInt32BE(0) === 0x1a45dfa3 || head.toString('latin1', 4, 8) === 'ftyp'), `${head.length} bytes`);
  });

  it('refuses who does not know the token, comes from elsewhere or sends nonsense', async () => {
    const { origin } = new URL(view.address);
    const status = async (target, headers = {}) => (await fetch(origin + target, { headers, redirect: 'manual' })).status;
    assert.equal(await status('/'), 403);
    assert.equal(await status('/?token=00'), 403);
    assert.equal(await status('/files'), 403);
    const answer = await fetch(view.address, { redirect: 'manual' });
    const cookie = answer.headers.get('set-cookie').split(';')[0];
    assert.match(answer.headers.get('set-cookie'), /HttpOnly; SameSite=Strict/);
    assert.equal(await status('/files', { cookie }), 200);
    assert.equal(await status('/files', { cookie, origin: 'http://evil.example' }), 403);
    assert.equal(await status('/../../etc/passwd', { cookie }), 404);
    assert.match((await fetch(`${origin}/page.js`, { headers: { cookie } })).headers.get('content-security-policy'), /default-src 'none'/);
    const closed = await shown.page.evaluate(() => new Promise(done => {
      const socket = new WebSocket(`ws://${location.host}/socket`);
      socket.onopen = () => socket.send('nonsense');
      socket.onclose = () => done(true);
    }));
    assert.ok(closed);
  });
});

// A cloth next to a ball, with MuJoCo's solver and with the position-based one: they fall, and their shapes move.
const BENT = { forces: ['', '<edge equality="true"/>'], positions: ['<custom><text name="sinew:deformable:cloth" data="cotton"/></custom>', ''],
  XPBD: ['<custom><text name="sinew:solver" data="xpbd substeps=2"/></custom>', '<edge equality="true"/>'] };
const cloth = (extension, edge) => `<mujoco model="cloth">${extension}
  <worldbody><light pos="0 0 4"/><geom type="plane" size="2 2 .1"/>
    <flexcomp name="cloth" type="grid" count="5 5 1" spacing=".1 .1 .1" pos="0 0 1" radius=".02" rgba=".2 .6 .9 1"><contact selfcollide="none"/>${edge}</flexcomp>
    <body name="ball" pos=".5 .5 1"><freejoint/><geom size=".1"/></body>
  </worldbody></mujoco>`;

describe('models in the page', { skip, timeout: 120000 }, () => {
  for (const [name, parts] of Object.entries(BENT)) it(`lets a cloth and a ball fall: ${name}`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sinew-cloth-')), at = file => path.join(folder, file);
    writeFileSync(at('cloth.xml'), cloth(...parts));
    execFileSync(SINEW, ['view', at('cloth.xml'), '--export', at('cloth.html')]);
    const { browser, page, errors, ready } = await open(`file://${at('cloth.html')}`, SMALL);
    await ready();
    const heights = () => page.evaluate(() => {
      const ball = window.app.frame.shapes.find(s => s.type === 2).pos[2];
      const soft = window.app.stage.shapes.objects.find(o => o.userData.own), { array } = soft.geometry.getAttribute('position');
      return [ball, array.filter((_, i) => i % 3 === 2).reduce((sum, z) => sum + z, 0) / (array.length / 3)];
    });
    await page.waitForFunction(() => window.app.frame.time > 0.3);
    for (const z of await heights()) assert.ok(z < 0.9 && z > -0.1, `from a height of 1 to ${z}`);
    assert.deepEqual(errors, []);
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  it('runs the humanoid in real time, and shows it soon', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sinew-humanoid-')), file = path.join(folder, 'humanoid.html');
    execFileSync(SINEW, ['view', '--export', file]);
    const { browser, page, ready } = await open(`file://${file}`, SMALL);
    const ms = await ready();
    // CPU time of steps without software rendering; wall time depends on other programs
    const pace = await page.evaluate(() => {
      const { source, frame } = window.app, start = performance.now(), from = frame.time;
      while (performance.now() - start < 1000) source.tick(0.02).forEach(words => frame.read(words));
      return (frame.time - from) / ((performance.now() - start) / 1000);
    });
    console.log(`humanoid: first frame after ${Math.round(ms)} ms, ${pace.toFixed(1)} times as fast as real time`);
    assert.ok(pace > 1, `${pace} of real time`);
    await browser.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a playground', { skip, timeout: 120000 }, () => {
  it('runs what it begins with, and zip archives with several models', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sinew-play-')), file = path.join(folder, 'play.html');
    execFileSync(SINEW, ['view', '--playground', file]);
    const { browser, page, errors, ready } = await open(`file://${file}`, SMALL);
    await ready();
    assert.equal(await page.evaluate(() => window.app.model.title), 'playground');
    assert.match(await page.locator('.notice.hint').textContent(), /Drop a model/);
    assert.equal(await page.locator('.reports li').count(), 0);
    const bytes = text => new TextEncoder().encode(text), part = '<mujoco><worldbody><body><freejoint/><geom type="mesh" mesh="tent"/></body></worldbody></mujoco>';
    const asset = '<asset><mesh name="tent" file="tent.obj"/></asset>';
    const scene = title => `<mujoco model="${title}"><compiler meshdir="assets"/>${asset}<include file="part.xml"/></mujoco>`;
    const zip = zipSync({ 'robot/scene.xml': bytes(scene('first')), 'robot/scene_b.xml': bytes(scene('second')), 'robot/part.xml': bytes(part),
      'robot/assets/tent.obj': bytes('v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n') });
    await page.evaluate(list => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([new Uint8Array(list)], 'robot.zip'));
      document.getElementById('app').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
    }, [...zip]);
    await page.waitForFunction(() => window.app.model?.title === 'first');
    await page.getByLabel('File', { exact: true }).selectOption('scene_b.xml');
    await page.getByRole('button', { name: 'Run this one' }).click();
    await page.waitForFunction(() => window.app.model?.title === 'second');
    await page.waitForFunction(() => window.app.frame.time > 0.05);
    assert.deepEqual(errors, []);
    await browser.close();
    rmSync(folder, { recursive: true });
  });
});

describe('a page of one file', { skip, timeout: 120000 }, () => {
  it('opens from disk and replays a motion', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'sinew-file-'));
    const at = name => path.join(folder, name);
    writeFileSync(at('cart.xml'), MODEL.replace('model="cart"', 'model="&lt;/script&gt;&lt;script&gt;window.hurt=1"'));
    execFileSync(SINEW, ['run', at('cart.xml'), '--time', '1', '--output', at('run.npz'), '--json'], { stdio: 'ignore' });
    execFileSync(SINEW, ['view', at('cart.xml'), '--replay', at('run.npz'), '--export', at('run.html')]);
    const { browser, page, errors, ready } = await open(`file://${at('run.html')}`, SMALL);
    const ms = await ready();
    console.log(`first frame after ${Math.round(ms)} ms`);
    await page.evaluate(() => window.app.send(1, 0));
    await page.evaluate(() => window.app.send(41, 0.5));
    await page.waitForFunction(() => Math.abs(window.app.frame.time - 0.5) < 1e-6 && window.app.frame.span[1] > 0.99);
    assert.deepEqual(errors, []);
    assert.equal(await page.evaluate(() => window.hurt), undefined);
    await browser.close();
    rmSync(folder, { recursive: true });
  });
});
