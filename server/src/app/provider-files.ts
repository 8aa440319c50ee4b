import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { fetchProviderFile, findProviderFile } from '../features/verifications/index.ts'
import type { Deps } from '../infra/deps.ts'
import { EVERY_ANSWER } from '../infra/http/reply.ts'
import { findPlatform } from '../infra/platforms.ts'
import { inWork } from '../infra/work/in-work.ts'
import { requestIds } from '../infra/work/request-ids.ts'
import { failNotFound } from '../kernel/ids.ts'

/** Serves documents to identity providers by a secret token; a browser downloads them without showing them (PROV-91). */
export function addProviderFiles(http: FastifyInstance, deps: Deps): void {
  http.get('/provider-files/:token', async (request, reply) => {
    const { token } = request.params as { token: string }
    const { db, files, providers } = deps
    const link = await findProviderFile(db.read, token)
    const platform = link && (await findPlatform(db.read, link.platformId))
    if (!platform) return failNotFound('document')
    const name = providers.find(link.providerId)?.name ?? ''
    const visit = { ...requestIds(request), platform, actor: { kind: 'provider', name } as const }
    const file = await inWork(deps, visit, (work) => fetchProviderFile(work, link))
    reply.headers(EVERY_ANSWER)
    if (!file) return reply.code(410).send()
    reply.header('Content-Disposition', 'attachment')
    return reply.type(file.mediaType).send(Readable.from(files.read(file.fileId)))
  })
}
