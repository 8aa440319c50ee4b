import { fail } from '../../kernel/errors.ts'
import type { Deps } from '../../infra/deps.ts'
import type { Work } from '../../infra/work/work.ts'
import type { Platform } from '../../kernel/platform.ts'
import { emit } from '../emit.ts'
import { askPlatform } from './ask-platform.ts'
import { ATTEMPT_TIMEOUT_MS } from './make-attempt.ts'
import { findEndpoint } from './store.ts'

/** Enough to recognise an answer, too little to read the content of an internal address. */
const SHOWN_CHARACTERS_MAX = 500

type BegunTest = Readonly<{ eventId: ReturnType<typeof emit>; at: Date }>

/** Emits the test event; it is attempted once and never repeated (HOOK-41). Fails: WEBHOOK_ENDPOINT_NOT_SET. */
export async function beginTest(work: Work): Promise<BegunTest> {
  const endpoint = await findEndpoint(work.tx, work.platform.id)
  if (endpoint === undefined) fail('WEBHOOK_ENDPOINT_NOT_SET')
  return { eventId: emit(work, 'TEST', {}, { sending: 'ASKED' }), at: work.now }
}

/** Waits for the answer; only a 2xx is a success (HOOK-42). Fails: WEBHOOK_ENDPOINT_NOT_SET, WEBHOOK_DELIVERY_ERROR. */
export async function finishTest(deps: Deps, platform: Platform, { eventId, at }: BegunTest) {
  const question = { eventId, timeoutMs: ATTEMPT_TIMEOUT_MS, at }
  const asked = await askPlatform(deps, platform, question)
  const { url, answer } = asked ?? fail('WEBHOOK_ENDPOINT_NOT_SET')
  if (!answer.ok) return fail('WEBHOOK_DELIVERY_ERROR', { url, error: answer.message })
  const body = [...answer.body.toString('utf8')].slice(0, SHOWN_CHARACTERS_MAX).join('')
  const shown = { url, response_status: answer.status, response_body: body }
  const isSuccess = answer.status >= 200 && answer.status < 300
  return isSuccess ? shown : fail('WEBHOOK_DELIVERY_ERROR', shown)
}
