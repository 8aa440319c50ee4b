import { Type } from '../infra/http/schema/type.ts'
import { audit } from '../infra/work/audit.ts'
import { procedure, type Operation } from '../infra/http/operation.ts'
import { reply } from '../infra/http/reply.ts'
import { object } from '../infra/http/schema/wire-schema.ts'
import { beginTest, finishTest } from '../webhooks/delivery/send-test.ts'

const TestWebhookSchema = object('TestWebhookResponse', {
  url: Type.String(),
  response_status: Type.Integer(),
  response_body: Type.String({ description: 'Cut at 500 characters.' }),
})

export const testWebhookRoutes: readonly Operation[] = [
  procedure({
    id: 'sendTestWebhook',
    method: 'POST',
    path: '/sandbox/webhooks/test',
    tag: 'Sandbox',
    needs: 'MANAGE',
    summary: 'Send a test webhook and wait for the answer',
    description:
      'One `TEST` event to the configured endpoint, signed like any other; it is not sent again.',
    replies: { 200: TestWebhookSchema },
    errors: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
    handler: async ({ deps, platform, inWork }) => {
      const begun = await inWork((work) => {
        audit(work, { action: 'sendTestWebhook' })
        return beginTest(work)
      })
      return reply(200, await finishTest(deps, platform, begun))
    },
  }),
]
