import { read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { listRequests } from './list-requests.ts'
import { RequestListQuerySchema, RequestListSchema } from './schema.ts'

export const routes: readonly Operation[] = [
  read({
    id: 'listRequests',
    path: '/requests',
    tag: 'Request Log',
    needs: 'MANAGE',
    summary: 'List requests',
    description:
      'What the platform asked the API in the last days and how it was answered, newest first, without bodies. A request is listed a second or two after its answer.',
    query: RequestListQuerySchema,
    replies: { 200: RequestListSchema },
    handler: async ({ work, query }) => {
      const page = await listRequests(work, query)
      return reply(200, { ...page, data: [...page.data] })
    },
  }),
]
