import { read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { listInstitutions } from './list-institutions.ts'
import { listVasps } from './list-vasps.ts'
import { DiscoveriesQuery, DiscoveryListResponse, VaspListResponse, VaspsQuery } from './schema.ts'

export const routes: readonly Operation[] = [
  read({
    id: 'getDiscoveries',
    path: '/discoveries',
    tag: 'Discoveries',
    needs: 'VIEW',
    summary: 'List the institutions that accounts can be with',
    description: 'By country, currency and name; in full.',
    query: DiscoveriesQuery,
    replies: { 200: DiscoveryListResponse },
    handler: async ({ query }) => reply(200, { data: [...listInstitutions(query)] }),
  }),
  read({
    id: 'listVasps',
    path: '/vasps',
    tag: 'VASPs',
    needs: 'VIEW',
    summary: 'List the service providers that wallets can be with',
    description:
      'Names that `accountInfo.vaspName` takes, for wallets that a provider keeps; in full.',
    query: VaspsQuery,
    replies: { 200: VaspListResponse },
    handler: async ({ work, query }) => {
      const page = listVasps(work, query)
      return reply(200, { ...page, data: [...page.data] })
    },
  }),
]
