import { Type } from '../infra/http/schema/type.ts'
import { fail } from '../kernel/errors.ts'
import { audit } from '../infra/work/audit.ts'
import { procedure, type Operation, type ProcedureContext } from '../infra/http/operation.ts'
import { reply } from '../infra/http/reply.ts'
import { object } from '../infra/http/schema/wire-schema.ts'
import { askPlatform, type Asked } from '../webhooks/delivery/ask-platform.ts'
import { findEndpoint } from '../webhooks/delivery/store.ts'
import { emit } from '../webhooks/emit.ts'
import { ATTEMPT_TIMEOUT_MS } from '../webhooks/delivery/make-attempt.ts'

/** Enough to recognise an answer, too little to read the content of an internal address. */
const SHOWN_CHARACTERS_MAX = 500

const TestWebhookSchema = object('TestWebhookResponse', {
  url: Type.String({ description: 'Where it was sent.' }),
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
    replies: { 200: TestWebhookSchema },
    errors: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
    handler: async (context) => reply(200, answerOf(await sendTest(context))),
  }),
]

type Context = Pick<ProcedureContext, 'deps' | 'platform' | 'inWork'>

/** The test webhook is attempted once and never repeated (HOOK-41, HOOK-42). */
async function sendTest({ deps, platform, ...context }: Context): Promise<Asked> {
  const { eventId, at } = await context.inWork(async (work) => {
    audit(work, { action: 'sendTestWebhook' })
    if ((await findEndpoint(work.tx, platform.id)) === undefined) fail('WEBHOOK_ENDPOINT_NOT_SET')
    return { eventId: emit(work, 'TEST', {}, { sending: 'ASKED' }), at: work.now }
  })
  const question = { eventId, timeoutMs: ATTEMPT_TIMEOUT_MS, at }
  return (await askPlatform(deps, platform, question)) ?? fail('WEBHOOK_ENDPOINT_NOT_SET')
}

/** Only a 2xx is a success here. */
function answerOf({ url, answer }: Asked) {
  if (!answer.ok) return fail('WEBHOOK_DELIVERY_ERROR', { url, error: answer.message })
  const body = [...answer.body.toString('utf8')].slice(0, SHOWN_CHARACTERS_MAX).join('')
  const shown = { url, response_status: answer.status, response_body: body }
  const isSuccess = answer.status >= 200 && answer.status < 300
  return isSuccess ? shown : fail('WEBHOOK_DELIVERY_ERROR', shown)
}
