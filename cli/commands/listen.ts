import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { StreamedEvent } from '../../sdk/src/index.ts'
import { CallError, limitOf, type Context, type Run } from '../command.ts'
import { readConfig, writeConfig } from '../config-file.ts'
import { clientOf, loginOf, type Login } from '../session.ts'
import { shownEvent } from './events.ts'

const KEY_FILE = 'listen-key.pem'
const AGAIN_MS = 1_000
const ANSWER_MS_MAX = 30_000

/**
 * Forwards events to an address of this machine, signed as webhooks are, with a key of its own. An event is forwarded
 * until the receiver answers, whatever it answers; the next run goes on after the last one (OPER-151).
 */
export const listen: Run = async (input, context) => {
  const to = input.option('forward-to') ?? ''
  if (!/^https?:\/\//.test(to) || !URL.canParse(to)) {
    throw new CallError('--forward-to is an address as http://localhost:3000/hooks.')
  }
  const login = await loginOf(context)
  const key = await signingKey(context)
  const after =
    input.option('after') ??
    (input.flag('from-now') ? undefined : await placeOf(context, login, to))
  const publicKey = createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()
  context.complain(
    `Forwarding events to ${to}${after === undefined ? '' : `, after event ${after}`}.\n`,
  )
  context.complain(`They are signed for this public key:\n${publicKey}`)
  const { signal } = context
  const limit = limitOf(input)
  let forwarded = 0
  for await (const streamed of clientOf(login).events.stream({ after, signal })) {
    const status = await forward(streamed, { to, key, context })
    await writeConfig(context.env, placeFile(login, to), streamed.sequence)
    const line = { ...shownEvent(streamed), status }
    context.print(
      context.isJson ? `${JSON.stringify(line)}\n` : `${Object.values(line).join('  ')}\n`,
    )
    forwarded += 1
    if (forwarded >= limit) break
  }
  return undefined
}

/** The same at every start, so that the receiver is set up once. */
async function signingKey({ env }: Context): Promise<KeyObject> {
  const stored = await readConfig(env, KEY_FILE)
  if (stored !== undefined) return createPrivateKey(stored)
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeConfig(env, KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
  return privateKey
}

const placeFile = ({ origin, clientId }: Login, to: string): string =>
  `listen-${hash('sha256', `${origin} ${clientId} ${to}`)}`

const placeOf = ({ env }: Context, login: Login, to: string): Promise<string | undefined> =>
  readConfig(env, placeFile(login, to))

async function forward(
  { event }: StreamedEvent,
  { to, key, context }: Readonly<{ to: string; key: KeyObject; context: Context }>,
): Promise<number> {
  const body = JSON.stringify(event)
  const s = sign('sha256', Buffer.from(body), key).toString('base64')
  for (let isFirst = true; ; isFirst = false) {
    const timeout = AbortSignal.timeout(ANSWER_MS_MAX)
    try {
      const response = await fetch(to, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-service-signature': JSON.stringify({ v: '1', s }),
          'user-agent': 'florin-webhooks/1',
        },
        body,
        signal: AbortSignal.any([timeout, context.signal]),
      })
      await response.arrayBuffer()
      return response.status
    } catch (error) {
      if (context.signal.aborted) throw error
      if (isFirst) context.complain(`${to} does not answer; trying again.\n`)
      await delay(AGAIN_MS, undefined, { signal: context.signal })
    }
  }
}
