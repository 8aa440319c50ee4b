import type { StreamedEvent, StreamOptions } from '../caller.ts'
import { answerOf } from '../attempt.ts'
import { FlorinError } from '../errors.ts'
import type { WebhookEvent } from '../generated/webhook-events.ts'
import { pause } from '../pause.ts'
import { backOffMs } from '../retry-delay.ts'
import { unbranded } from '../unbranded.ts'

/** The service shows every 15 seconds that it is there; without a sign for so long the connection is taken for dead. */
const SILENCE_MS_MAX = 45_000
const RETRY_MS = 1_000

type StreamSettings = Readonly<{
  baseUrl: string
  authorization: string | undefined
  fetch: typeof globalThis.fetch
  wireBrand: string
}>

type Connection = Readonly<{
  settings: StreamSettings
  path: string
  /** The number of the last event that was read. */
  position: string | undefined
  signal: AbortSignal | undefined
}>

/** Connects again whenever the stream ends, after the last number, so that no event is missed or repeated. */
export async function* createStream(
  settings: StreamSettings,
  path: string,
  { after, signal }: StreamOptions = {},
): AsyncGenerator<StreamedEvent> {
  let position = after
  let retryMs = RETRY_MS
  let failures = 0
  for (;;) {
    let delayMs: number
    try {
      for await (const { id, retry, data } of framesOf({ settings, path, position, signal })) {
        failures = 0
        retryMs = retry ?? retryMs
        position = id ?? position
        if (data === undefined || id === undefined) continue
        yield {
          sequence: id,
          event: unbranded(JSON.parse(data), settings.wireBrand) as WebhookEvent,
        }
      }
      delayMs = retryMs
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      delayMs = delayAfter(error, (failures += 1))
    }
    await pause(delayMs, signal)
  }
}

/** A refusal that does not pass by itself is thrown; everything else is tried again for as long as the caller waits. */
function delayAfter(error: unknown, failures: number): number {
  const backOff = backOffMs(failures)
  if (!(error instanceof FlorinError)) return backOff
  if (!error.retryable) throw error
  return Math.max(backOff, (error.retryAfterSeconds ?? 0) * 1_000)
}

type Frame = Readonly<{ id?: string; retry?: number; data?: string }>

async function* framesOf({ settings, path, position, signal }: Connection): AsyncGenerator<Frame> {
  const silence = new AbortController()
  const hush = (): void => silence.abort(new Error('the service is silent'))
  let timer = setTimeout(hush, SILENCE_MS_MAX)
  try {
    const { authorization } = settings
    const response = await settings.fetch(`${settings.baseUrl}${path}`, {
      method: 'GET',
      headers: {
        accept: 'text/event-stream',
        ...(authorization !== undefined && { authorization }),
        ...(position !== undefined && { 'last-event-id': position }),
      },
      signal: signal ? AbortSignal.any([signal, silence.signal]) : silence.signal,
      redirect: 'error',
    })
    if (response.status !== 200 || response.body === null) {
      throw new FlorinError(answerOf(response, await response.text()))
    }
    const decoder = new TextDecoder()
    const reader = response.body.getReader()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(hush, SILENCE_MS_MAX)
      const frames = (text + decoder.decode(value, { stream: true })).split('\n\n')
      text = frames.pop() ?? ''
      yield* frames.map(frameOf)
    }
  } finally {
    clearTimeout(timer)
    silence.abort()
  }
}

/** The service writes one line of each field, with `\n`; comments have no name. */
function frameOf(frame: string): Frame {
  const fields = new Map(
    frame.split('\n').map((line): [string, string] => {
      const [name = '', ...value] = line.split(': ')
      return [name, value.join(': ')]
    }),
  )
  const [id, retry, data] = [fields.get('id'), fields.get('retry'), fields.get('data')]
  return {
    ...(id !== undefined && { id }),
    ...(retry !== undefined && { retry: Number(retry) }),
    ...(data !== undefined && { data }),
  }
}
