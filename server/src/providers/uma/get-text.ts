import { SECOND_MS } from '../../kernel/clock.ts'
import type { GuardedFetch, OutgoingRequest } from '../../infra/outbound/ssrf.ts'

const TIME_LIMIT_MS = 10 * SECOND_MS
const ANSWER_BYTES_MAX = 256 * 1024

/** The answer of another provider; without a status where it could not be reached. */
export type TextAnswer = Readonly<{ status: number | undefined; text: string }>

export async function getText(
  outgoing: GuardedFetch,
  request: Pick<OutgoingRequest, 'method' | 'url' | 'body'>,
): Promise<TextAnswer> {
  // A provider is asked over an encrypted connection only, whatever its addresses say.
  if (!request.url.startsWith('https://')) return { status: undefined, text: '' }
  const answer = await outgoing.fetch({
    ...request,
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    timeoutMs: TIME_LIMIT_MS,
    bodyBytesMax: ANSWER_BYTES_MAX,
  })
  if (!answer.ok || answer.truncated) return { status: undefined, text: '' }
  return { status: answer.status, text: answer.body.toString('utf8') }
}

/** The JSON object in a text; empty where it holds none. */
export function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>
  } catch {
    return {}
  }
}
