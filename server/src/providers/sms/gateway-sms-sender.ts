import { SECOND_MS } from '../../kernel/clock.ts'
import { ApiError, retryAfter } from '../../kernel/errors.ts'
import type { SmsSender } from './sms-sender.ts'

const TIME_LIMIT_MS = 10 * SECOND_MS
const RETRY_AFTER_SECONDS = 10

/**
 * Messages by an HTTP gateway: `POST {"to": "+49…", "text": "…"}`, the credentials of its address as HTTP Basic. Any
 * 2xx is acceptance. The address is the operator's own choice, so it may lie in a private network.
 */
export function gatewaySmsSender(gatewayUrl: string): SmsSender {
  const url = new URL(gatewayUrl)
  const { username, password } = url
  url.username = ''
  url.password = ''
  const authorization = username === '' ? {} : { authorization: basic({ username, password }) }
  return {
    async send({ to, text }) {
      const problem = await post(url, { headers: authorization, body: { to, text } })
      if (problem === undefined) return
      throw new ApiError('SERVICE_UNAVAILABLE', {
        headers: retryAfter(RETRY_AFTER_SECONDS),
        because: `SMS was not accepted: ${problem}`,
      })
    },
  }
}

function basic({ username, password }: { username: string; password: string }): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

type Post = Readonly<{ headers: Record<string, string>; body: unknown }>

/** Undefined when it was accepted, else why not. */
async function post(url: URL, { headers, body }: Post): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `status ${response.status}`
  } catch (error) {
    // `fetch` itself says no more than that it failed.
    const { cause, message } = error as Error
    return cause instanceof Error ? cause.message : message
  }
}
