import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

type Prepared = Readonly<{ plain: Buffer; zipped: Buffer; etag: string }>

function prepare(text: string): Prepared {
  const plain = Buffer.from(text)
  const digest = createHash('sha256').update(plain).digest('base64url').slice(0, 27)
  return { plain, zipped: gzipSync(plain), etag: `W/"${digest}"` }
}

/** Serves a text that stays the same while the process runs: made when first asked for, compressed for those who take it (CORE-88). */
export function serveText(
  app: FastifyInstance,
  path: string,
  { type, make }: Readonly<{ type: string; make: () => string }>,
): void {
  let prepared: Prepared | undefined
  app.get(path, ({ headers }, reply) => {
    const { plain, zipped, etag } = (prepared ??= prepare(make()))
    void reply.headers({ 'cache-control': 'no-cache', vary: 'Accept-Encoding', etag })
    const known = headers['if-none-match']?.split(',') ?? []
    if (known.some((one) => one.trim() === etag)) return reply.code(304).send()
    void reply.type(`${type}; charset=utf-8`)
    if (!takesGzip(headers['accept-encoding'])) return reply.send(plain)
    return reply.header('content-encoding', 'gzip').send(zipped)
  })
}

const takesGzip = (accepted: string | string[] | undefined): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(accepted))
