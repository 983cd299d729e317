// Takes a screenshot of a page: address, file, seconds to wait, and code to run in the page first.
import { open } from './browser.mjs';

const [address, file, seconds = '1', code] = process.argv.slice(2);
const { browser, page, errors, ready } = await open(address);
const ms = await ready().catch(e => `none: ${e.message}`);
if (code) await page.evaluate(code);
await page.waitForTimeout(1000 * seconds);
await page.screenshot({ path: file });
console.log(`first frame: ${typeof ms === 'number' ? Math.round(ms) + ' ms' : ms}`);
errors.forEach(e => console.log(`console: ${e}`));
await browser.close();
