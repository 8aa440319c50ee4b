/** Who may send an order, and in which form. */
import { setTimeout as delay } from 'node:timers/promises'
import { SECOND_MS } from '../../kernel/clock.ts'
import { newSecret, signMessage } from '../http/sign-message.ts'
import type { Headers, Manner } from './provider-client.ts'
import {
  acceptance,
  askedOrder,
  demandUnknown,
  isSuccess,
  orderOf,
  reportsOf,
  seenIn,
  sendOrder,
  staysEnded,
  wellEnded,
  type Trial,
} from './trial.ts'
import { CaseSkip, demand } from './verdict.ts'
import type { OrderBody } from './sample-orders.ts'

async function demandNothingBegun(trial: Trial, manner: Manner): Promise<void> {
  const order = orderOf(trial)
  const reply = await sendOrder(trial, order, manner)
  demand(!isSuccess(reply), 'no 2xx', seenIn(reply))
  await demandUnknown(trial, order)
}

export const refusesOtherSecret = (trial: Trial): Promise<void> =>
  demandNothingBegun(trial, { secrets: [newSecret()] })

export const refusesOldTimestamp = (trial: Trial): Promise<void> =>
  demandNothingBegun(trial, { offsetSeconds: -301 })

/** Far enough ahead that the call's own duration does not bring it back into the tolerance. */
export const refusesFutureTimestamp = (trial: Trial): Promise<void> =>
  demandNothingBegun(trial, { offsetSeconds: 320 })

export const refusesMissingSignature = (trial: Trial): Promise<void> =>
  demandNothingBegun(trial, {
    headers: ({ 'webhook-signature': _, ...others }) => others,
  })

export const refusesSignatureOfOtherBody = (trial: Trial): Promise<void> =>
  demandNothingBegun(trial, {
    headers: (usual) => ({
      ...usual,
      'webhook-signature': signatureOf(trial, usual, '{"amount":1}'),
    }),
  })

/** The signature of another body under the same id and timestamp. */
function signatureOf({ client }: Trial, usual: Headers, body: string): string {
  const at = new Date(Number(usual['webhook-timestamp']) * SECOND_MS)
  const signed = signMessage({ id: usual['webhook-id'] ?? '', at, body }, client.secrets)
  return signed['webhook-signature'] ?? ''
}

const AGE_SECONDS = 289
const REPLAY_AFTER_MS = 12.5 * SECOND_MS

/** The call is almost too old when it is sent and too old when it is sent again. */
export async function refusesReplay(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  let captured: Headers = {}
  const answer = await acceptance(trial, order, {
    offsetSeconds: -AGE_SECONDS,
    headers: (usual) => (captured = usual),
  })
  await delay(REPLAY_AFTER_MS)
  const replay = await sendOrder(trial, order, { headers: () => captured })
  demand(!isSuccess(replay), 'no 2xx for a call of 301 s ago', seenIn(replay))
  await staysEnded(trial, order, answer)
}

export async function takesSecondSignature(trial: Trial): Promise<void> {
  const order = orderOf(trial)
  const [secret = ''] = trial.client.secrets
  const answer = await acceptance(trial, order, { secrets: [newSecret(), secret] })
  await wellEnded(trial, order, answer)
}

export async function takesSecondSecret(trial: Trial): Promise<void> {
  const [, second] = trial.client.secrets
  if (second === undefined) throw new CaseSkip('give --secret twice to test a rotation')
  const order = orderOf(trial)
  await wellEnded(trial, order, await acceptance(trial, order, { secrets: [second] }))
}

export async function refusesMalformed(trial: Trial): Promise<void> {
  const broken = orderOf(trial)
  const cut = JSON.stringify(broken).slice(0, -2)
  demandInvalid(await trial.client.send(broken.id, cut), 'a body that is not JSON')
  const wrong: OrderBody[] = [orderOf(trial, { type: 'NO_SUCH_TYPE' })]
  if (trial.port === 'rails') {
    wrong.push(orderOf(trial, { amount: { amount: '9154', currency: 'EUR', decimals: 2 } }))
  }
  for (const order of wrong) demandInvalid(await sendOrder(trial, order), order.type)
  for (const order of [broken, ...wrong]) await demandNeverStarted(trial, order)
}

function demandInvalid(reply: Awaited<ReturnType<typeof sendOrder>>, what: string): void {
  const { state, reason } = (reply?.json ?? {}) as Readonly<{ state?: unknown; reason?: unknown }>
  const isRefused = state === 'REFUSED' && reason === 'INVALID_ORDER'
  demand(
    !isSuccess(reply) || isRefused,
    `no 2xx, or REFUSED INVALID_ORDER, for ${what}`,
    seenIn(reply),
  )
}

/** A refused order may be known; it must not have gone further. */
async function demandNeverStarted(trial: Trial, order: OrderBody): Promise<void> {
  const reply = await trial.client.ask(order.id)
  if (reply?.status !== 200) return demandUnknown(trial, order)
  const { state } = await askedOrder(trial, order)
  demand(['REFUSED', 'FAILED'].includes(state), 'nothing begun', seenIn(reply))
  demand(
    reportsOf(trial, order).every((one) => one.state === 'FAILED'),
    'no reports',
    state,
  )
}
