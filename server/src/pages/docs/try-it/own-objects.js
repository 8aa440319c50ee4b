/** The reader's own objects, asked from this service with the credentials of the tab. */
import { authorizationHeader } from './credentials.js'
import { wordsFor } from './object-words.js'
import { ownServerUrl } from './request.js'

const LATEST = 10

/** @typedef {{ id: string, words: string }} OwnObject */

/**
 * The latest of a list.
 * @param {import('../model.js').Model} model
 * @param {import('./id-kinds.js').Source} source
 * @returns {Promise<OwnObject[]>}
 */
export async function loadOwn(model, { operation, query, field }) {
  const parameters = new URLSearchParams(query)
  const hasLimit = operation.parameters.some(({ name }) => name === 'limit')
  if (hasLimit) parameters.set('limit', String(LATEST))
  const address = `${ownServerUrl(model.serverUrl)}${operation.path}?${parameters}`
  const authorization = authorizationHeader(operation.access) ?? ''
  const response = await fetch(address, {
    headers: { authorization },
    credentials: 'omit',
    cache: 'no-store',
  })
  const body = await response.json()
  if (!response.ok) throw new Error(`${body.code}: ${body.message}`)
  /** @type {any[]} */
  const items = body.data ?? []
  return items
    .slice(0, LATEST)
    .flatMap((item) => (item[field] ? [{ id: item[field], words: wordsFor(item) }] : []))
}
