/** The way from a page to the one before and the one after it. */
import { h } from '../dom.js'

/**
 * @typedef {{ href: string, title: string }} Place
 * @param {{ places: Place[], at: number, label: string }} options all places in order, and which of them this page is
 */
export function neighbours({ places, at, label }) {
  return h(
    'nav',
    { class: 'neighbours', 'aria-label': label },
    neighbour(places[at - 1], 'Previous'),
    neighbour(places[at + 1], 'Next'),
  )
}

/**
 * @param {Place | undefined} place
 * @param {string} word
 */
const neighbour = (place, word) =>
  place
    ? h('a', { href: place.href }, h('span', { class: 'hint' }, word), h('span', {}, place.title))
    : h('span', {})
