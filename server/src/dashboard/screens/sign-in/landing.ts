/** Where a browser goes once it has signed in: the page that it asked for before (OPER-135). */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LANDING, readCookie, setCookie } from '../../cookies.ts'

const OVERVIEW = '/'
const HERE = 'http://dashboard'
const PATH_LENGTH_MAX = 1_024

/** The path with its query, where it is one of a page of ours and no step of signing in; else undefined. */
export function ownPath(text: string): string | undefined {
  const url = text.startsWith('/') ? URL.parse(text, HERE) : null
  const isPage = url?.origin === HERE && !/^\/(sign-in|sign-out)(\/|$)/.test(url.pathname)
  if (!isPage || url.pathname.startsWith('//')) return undefined
  const path = `${url.pathname}${url.search}`
  return path.length > PATH_LENGTH_MAX ? undefined : path
}

/** Pictures and scripts that a page asks for beside it are no pages. */
const isPageLoad = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && ['document', undefined].includes(headers['sec-fetch-dest'] as string)

export function rememberAsked(reply: FastifyReply, origin: string | undefined): void {
  if (isPageLoad(reply.request)) rememberPage(reply, { path: reply.request.url, origin })
}

export function rememberPage(
  reply: FastifyReply,
  { path, origin }: Readonly<{ path: string; origin: string | undefined }>,
): void {
  const page = ownPath(path)
  if (page !== undefined) setCookie(reply, LANDING, { secret: encodeURIComponent(page), origin })
}

/** Takes what was remembered away: it counts once. */
export function takeLanding(request: FastifyRequest, reply: FastifyReply): string {
  const kept = readCookie(request, LANDING)
  if (kept === undefined) return OVERVIEW
  setCookie(reply, LANDING, { secret: undefined, origin: undefined })
  return ownPath(decoded(kept)) ?? OVERVIEW
}

/** A browser may send anything as a cookie. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return OVERVIEW
  }
}
