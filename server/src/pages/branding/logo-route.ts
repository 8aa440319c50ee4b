/** Serves the logos of platforms. An address names the content, so an answer never changes. */
import type { FastifyInstance } from 'fastify'
import { findLogo } from '../../features/platform/index.ts'
import type { PageHost } from '../page-host.ts'

const DIGEST = /^[\w-]{43}$/

export function registerLogos(http: FastifyInstance, { deps }: PageHost): void {
  http.get('/logos/:digest', async (request, reply) => {
    const { digest } = request.params as { digest: string }
    const logo = DIGEST.test(digest) ? await findLogo(deps.db.read, digest) : undefined
    void reply.headers({
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    })
    if (!logo) return reply.code(404).send()
    return reply
      .headers({ 'cache-control': 'public, max-age=31536000, immutable' })
      .type(logo.mediaType)
      .send(logo.bytes)
  })
}
