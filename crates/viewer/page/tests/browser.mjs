// A headless browser with software graphics, for tests and screenshots.
import { chromium } from 'playwright-core';
import { existsSync } from 'node:fs';

const PLACES = [process.env.SINEW_CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const found = PLACES.find(p => p && existsSync(p));

const FLAGS = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync'];

// Opens a page; `errors` collects console errors.
export async function open(address, { width = 1200, height = 760 } = {}) {
  const browser = await chromium.launch({ executablePath: found, headless: true, args: FLAGS });
  const page = await browser.newPage({ viewport: { width, height } });
  const errors = [];
  page.on('console', m => { if (m.type() === 'error') errors.push(m.text()); });
  page.on('pageerror', e => errors.push(String(e)));
  const start = performance.now();
  await page.goto(address);
  const ready = async (count = 2) => {
    await page.waitForFunction(n => window.app?.frame.count >= n, count, { timeout: 60000 });
    return performance.now() - start;
  };
  return { browser, page, errors, ready };
}

// State of a page's simulation.
export const state = page => page.evaluate(() => {
  const { time, running, select, cameraKind, ctrl, qpos, camera, flags, span } = window.app.frame;
  return { time, running, select, cameraKind, ctrl: [...ctrl], qpos: [...qpos], eye: [...camera.pos], flags: [...flags], span };
});
