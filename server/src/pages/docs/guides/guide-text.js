/**
 * Guides as the page reads them: a title and sections with addresses.
 *
 * @typedef {{ title: string, slug: string, level: number, text: string }} Section what stands below one heading
 * @typedef {{ route: string, title: string, intro: string, text: string, sections: Section[] }} Guide
 * @typedef {{ title: string, guides: Guide[] }} GuideGroup
 */

export const HEADING = /^(#{1,6})\s+(.*)$/

/**
 * @param {{ sections: { title: string, pages: { route: string, text: string }[] }[] }} file as it is served
 * @returns {GuideGroup[]}
 */
export const readGuides = ({ sections }) =>
  sections.map(({ title, pages }) => ({ title, guides: pages.map(readGuide) }))

/**
 * @param {{ route: string, text: string }} page
 * @returns {Guide}
 */
function readGuide({ route, text }) {
  const [head, ...sections] = sectionsOf(text)
  const body = sections.map(
    ({ level, title, text: below }) => `${'#'.repeat(level)} ${title}\n${below}`,
  )
  return {
    route,
    title: head?.title ?? route,
    intro: head?.text ?? '',
    text: [head?.text ?? '', ...body].join('\n'),
    sections,
  }
}

/**
 * @param {string} text
 * @returns {Section[]}
 */
function sectionsOf(text) {
  /** @type {Section[]} */
  const sections = []
  let isCode = false
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode
    // A mark for those who run the guide's examples.
    else if (line.startsWith('<!--') && !isCode) continue
    const [, marks, title] = (!isCode && HEADING.exec(line)) || []
    const last = sections.at(-1)
    if (marks && title) sections.push({ title, slug: slugOf(title), level: marks.length, text: '' })
    else if (last) last.text += `${line}\n`
  }
  return sections
}

/**
 * The address of a heading within its page, as readers of Markdown make it.
 * @param {string} title
 */
export const slugOf = (title) =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')
