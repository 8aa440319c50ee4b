/** Where links of a guide lead inside the page: to other guides, operations, error codes and events. */

/** Pages of the `docs` folder that the reference has as views of its own. */
const VIEWS = /** @type {Record<string, string>} */ ({
  '/reference/errors.md': '#errors',
  '/reference/webhooks.md': '#webhooks',
  '/reference/operations.md': '#',
  '/reference/openapi.json': 'openapi.json',
  '/reference/provider-protocol.schema.json': 'docs/reference/provider-protocol.schema.json',
})
const OPERATION = /^(GET|POST|PUT|PATCH|DELETE) (\/[^\s?]*)/

/** @typedef {import('../markdown.js').Links} Links */

/**
 * @param {import('../model.js').Model} model
 * @param {import('./guide-text.js').GuideGroup[]} groups
 */
export function createGuideLinks(model, groups) {
  const guides = new Set(groups.flatMap((group) => group.guides.map(({ route }) => route)))
  const events = new Set(model.webhooks.map(({ name }) => name))
  // Codes that no operation raises are words of other things as well: `EXPIRED` is the state of a quote.
  const raised = new Set(model.operations.flatMap(({ errors }) => errors))
  const operations = new Map(
    model.operations.map(({ method, path, id }) => [`${method} ${withoutNames(path)}`, id]),
  )

  /**
   * @param {string} text
   * @returns {string | undefined}
   */
  function hrefOfCode(text) {
    if (raised.has(text)) return `#errors/${text}`
    if (events.has(text)) return `#webhooks/${text}`
    const [, method, path = ''] = OPERATION.exec(text) ?? []
    const id = method && operations.get(`${method} ${withoutNames(path)}`)
    return id && `#${id}`
  }

  /**
   * @param {string} route of the guide that has the link
   * @param {string} address
   * @returns {string | undefined} none for a file that only the repository has
   */
  function hrefOfLink(route, address) {
    if (/^(https?|mailto):/.test(address)) return address
    const { pathname, hash } = new URL(address, `docs://x${route}.md`)
    const target = pathname.replace(/\.md$/, '')
    if (guides.has(target)) return `#${target}${hash.replace('#', '/')}`
    return VIEWS[pathname]
  }

  /**
   * @param {string} route
   * @returns {Links}
   */
  return (route) => ({ ofCode: hrefOfCode, ofAddress: (address) => hrefOfLink(route, address) })
}

/**
 * Guides name the parameter of a path as they like.
 * @param {string} path
 */
const withoutNames = (path) =>
  path
    .split('/')
    .map((part) => (part.startsWith('{') ? '{}' : part))
    .join('/')
