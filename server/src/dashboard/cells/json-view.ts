import { html, type Html } from '../../pages/html.ts'

/** A value as it is on the wire; it scrolls by itself, so the keyboard must reach it. */
export const jsonView = (value: unknown): Html =>
  html`<pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`
