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

type Reference = Readonly<{
  page: Asset
  /** By what follows `/docs/` and the release. */
  files: ReadonlyMap<string, Asset>
  /** The folder in which the page names its files. A file there never changes, so that browsers keep it. */
  release: string
}>

/** Both references are made of the same files, read when somebody looks at one. */
let reference: Reference | undefined

const PAGE = 'index.html'
const RELEASE_MARK = '~'

/** The page reads the `openapi.json` beside it. */
export function serveReference(app: FastifyInstance, folder: string): void {
  app.get(`${folder}/docs`, (request, reply) => {
    const { page } = (reference ??= loadReference())
    sendAsset(request, reply, page)
  })
  app.get<{ Params: { '*': string } }>(`${folder}/docs/*`, (request, reply) => {
    const { files, release } = (reference ??= loadReference())
    const path = request.params['*']
    const isInRelease = path.startsWith(RELEASE_MARK)
    const asset = files.get(isInRelease ? path.slice(path.indexOf('/') + 1) : path)
    // Another release names its files too, while processes of both serve.
    const isFixed = path.startsWith(`${release}/`)
    if (asset) sendAsset(request, reply, asset, isFixed)
    else reply.callNotFound()
  })
  // The page names its files relative to /docs, so that it also works below a proxy's prefix.
  app.get(`${folder}/docs/`, (_request, reply) => reply.redirect('../docs', 308))
}

function loadReference(): Reference {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const own = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== PAGE && contentTypeOf(name) !== undefined)
    .map((name) => [name, `${folder}${name}`] as const)
  const read = [...own, ...brandFiles].map(([name, path]) => [name, readFileSync(path)] as const)
  const files = new Map(
    [...read, ...guideFiles()].map(([name, bytes]) => [name, makeAsset(name, bytes)] as const),
  )
  const etags = [...files].map(([name, { etag }]) => name + etag)
  const release = RELEASE_MARK + digestOf(etags.sort().join())
  let html = readFileSync(`${folder}${PAGE}`, 'utf8')
  for (const name of files.keys())
    html = html.replaceAll(`"docs/${name}"`, `"docs/${release}/${name}"`)
  return { page: makeAsset(PAGE, Buffer.from(html)), files, release }
}

const digestOf = (bytes: Buffer | string): string =>
  createHash('sha256').update(bytes).digest('base64url').slice(0, 27)

function contentTypeOf(name: string): string | undefined {
  return CONTENT_TYPES[name.slice(name.lastIndexOf('.') + 1)]
}

function makeAsset(name: string, bytes: Buffer): Asset {
  const contentType = contentTypeOf(name) ?? 'application/octet-stream'
  return { contentType, bytes, etag: `"${digestOf(bytes)}"` }
}

/** Unless its address is fixed it is asked for again each time, answered 304 unless changed: a new release is seen at once. */
function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  isFixed = false,
): FastifyReply {
  const caching = isFixed ? 'max-age=31536000, immutable' : 'no-cache'
  void reply.headers({ ...SECURITY_HEADERS, 'cache-control': caching, etag: asset.etag })
  const known = request.headers['if-none-match']?.split(',') ?? []
  if (known.some((tag) => tag.trim().replace(/^W\//, '') === asset.etag))
    return reply.code(304).send()
  return reply.type(asset.contentType).send(asset.bytes)
}
