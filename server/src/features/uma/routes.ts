import { read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { listUmaProviders } from './providers/list-uma-providers.ts'
import { UmaProviderListSchema, UmaProviderQuerySchema } from './schema.ts'
import { providerToWire } from './providers/wire.ts'

export const routes: readonly Operation[] = [
  read({
    id: 'getAvailableUmaProviders',
    path: '/uma-providers',
    tag: 'Available UMA Providers',
    needs: 'VIEW',
    summary: 'List UMA providers',
    description: 'Whose customers can be paid by UMA address, with currencies and countries.',
    query: UmaProviderQuerySchema,
    replies: { 200: UmaProviderListSchema },
    handler: async ({ work, query }) => {
      const page = await listUmaProviders(work, query)
      const data = page.data.map((provider) => providerToWire(provider, work.settings))
      return reply(200, { ...page, data })
    },
  }),
]
