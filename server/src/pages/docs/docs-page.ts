/**
 * The browsable reference (CORE-86) with the guides (OPER-171). A handful of our own files that read `openapi.json` in
 * the browser; nothing comes from another host, and the content policy (CORE-93) says so.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { brandFiles } from '../brand.ts'
import { guideFiles } from './guides/contents.ts'

type Asset = { contentType: string; bytes: Buffer; etag: string }

const CONTENT_TYPES: Record<string, string> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  md: 'text/markdown; charset=utf-8',
  json: 'application/json; charset=utf-8',
}

const SECURITY_HEADERS: Record<string, string> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** The reference of the API, to which the bare address leads too. */
export function registerDocsPage(app: FastifyInstance): void {
  serveReference(app, '')
  app.get('/', (_request, reply) => reply.redirect('docs', 302))
}

/** By what follows `/docs/`. Both references are made of the same files, read when somebody looks at one. */
let assets: Map<string, Asset> | undefined

const PAGE = 'index.html'

/** The page reads the `openapi.json` beside it. */
export function serveReference(app: FastifyInstance, folder: string): void {
  const serve = (name: string, request: FastifyRequest, reply: FastifyReply): void => {
    const asset = (assets ??= loadAssets()).get(name)
    if (asset) sendAsset(request, reply, asset)
    else reply.callNotFound()
  }
  app.get(`${folder}/docs`, (request, reply) => serve('', request, reply))
  app.get<{ Params: { '*': string } }>(`${folder}/docs/*`, (request, reply) =>
    serve(request.params['*'], request, reply),
  )
  // The page names its files relative to /docs, so that it also works below a proxy's prefix.
  app.get(`${folder}/docs/`, (_request, reply) => reply.redirect('../docs', 308))
}

function loadAssets(): Map<string, Asset> {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => contentTypeOf(name) !== undefined)
    .map((name) => [name, `${folder}${name}`] as const)
  const read = [...own, ...brandFiles].map(([name, path]) => [name, readFileSync(path)] as const)
  return new Map(
    [...read, ...guideFiles()].map(([name, bytes]) => [
      name === PAGE ? '' : name,
      makeAsset(name, bytes),
    ]),
  )
}

function contentTypeOf(name: string): string | undefined {
  return CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)]
}

function makeAsset(name: string, bytes: Buffer): Asset {
  const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`
  return { contentType: contentTypeOf(name) ?? 'application/octet-stream', bytes, etag }
}

/** Asked for again each time, answered 304 unless changed: a new release is seen at once. */
function sendAsset(request: FastifyRequest, reply: FastifyReply, asset: Asset): FastifyReply {
  void reply.headers({ ...SECURITY_HEADERS, 'cache-control': 'no-cache', etag: asset.etag })
  const known = request.headers['if-none-match']?.split(',') ?? []
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === asset.etag))
    return reply.code(304).send()
  return reply.type(asset.contentType).send(asset.bytes)
}
