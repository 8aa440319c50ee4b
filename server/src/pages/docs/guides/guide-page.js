/** One guide: its text, what is on the page, and the way to its neighbours. */
import { h } from '../dom.js'
import { markdown } from '../markdown.js'
import { neighbours } from '../views/neighbours.js'

const OUTLINE_LEVEL_MAX = 3

/**
 * @param {object} options
 * @param {import('./guide-text.js').Guide} options.guide
 * @param {import('./guide-text.js').GuideGroup[]} options.groups
 * @param {import('../markdown.js').Links} options.links
 */
export function guidePage({ guide, groups, links }) {
  const group = groups.find(({ guides }) => guides.includes(guide))
  const text = h(
    'article',
    { class: 'guide-text' },
    h(
      'header',
      { class: 'view-head' },
      h('p', { class: 'crumb' }, group?.title),
      h('h1', { tabindex: '-1' }, guide.title),
    ),
    markdown(guide.text, 'prose', { route: guide.route, links }),
  )
  const all = groups.flatMap(({ guides }) => guides)
  const places = all.map(({ route, title }) => ({ href: `#${route}`, title }))
  return [
    h('div', { class: 'guide-columns' }, text, outline(guide)),
    neighbours({ places, at: all.indexOf(guide), label: 'Neighbouring guides' }),
  ]
}

/** @param {import('./guide-text.js').Guide} guide */
function outline({ route, sections }) {
  const shown = sections.filter(({ level }) => level <= OUTLINE_LEVEL_MAX)
  if (shown.length < 2) return undefined
  return h(
    'nav',
    { class: 'outline', 'aria-label': 'On this page' },
    h('p', { class: 'hint' }, 'On this page'),
    h(
      'ul',
      {},
      shown.map(({ title, slug, level }) =>
        h(
          'li',
          { class: `outline-${level}` },
          h('a', { href: `#${route}/${slug}` }, title.replaceAll('`', '')),
        ),
      ),
    ),
  )
}
