import { html, type Html } from './html.ts'

/** The state of what a page is about, in a word or two. */
export const badgeView = (text: string, kind: 'good' | 'bad' | 'plain' = 'plain'): Html =>
  html`<p class="badge ${kind}">${text}</p>`
