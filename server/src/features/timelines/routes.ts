import { Type } from '../../infra/http/schema/type.ts'
import { read, type Operation } from '../../infra/http/operation.ts'
import { reply } from '../../infra/http/reply.ts'
import { pathId } from '../../infra/http/schema/wire-schema.ts'
import { readTimeline } from './read-timeline.ts'
import { TimelineQuerySchema, TimelineSchema } from './schema.ts'

export const routes: readonly Operation[] = [
  read({
    id: 'getTimeline',
    path: '/timeline/{resourceId}',
    tag: 'Timelines',
    needs: 'VIEW',
    summary: 'What happened to something, and what comes next',
    description:
      'Oldest first: what was done and by whom, what was booked, the orders to providers, the webhook events with their delivery, and what is due next. Takes the id of anything that the platform owns: a customer, transaction, quote, account, card, agent, verification, import, webhook event and others.',
    params: Type.Object({
      resourceId: pathId(
        'Id of anything that the platform owns, with its prefix: `Transaction:<uuid>`.',
      ),
    }),
    query: TimelineQuerySchema,
    replies: { 200: TimelineSchema },
    errors: ['REFERENCE_NOT_FOUND'],
    handler: async ({ work, params, query }) => {
      const page = await readTimeline(work, params.resourceId, query)
      return reply(200, { ...page, data: [...page.data] })
    },
  }),
]
