import { SECOND_MS } from '../../kernel/clock.ts'
import type { RegisteredProvider } from '../../kernel/ports.ts'
import type { Deps } from '../../infra/deps.ts'
import { answerAttributes, inSpan } from '../../infra/logging/tracing/tracer.ts'
import { signMessage } from './sign-message.ts'

export type ProviderCall = Readonly<{
  method: 'GET' | 'POST'
  /** Below the registered address: `/orders`. */
  path: string
  /** The same at every attempt of one order: the provider recognises a repetition by it (PROV-25). */
  messageId: string
  /** JSON; the same bytes at every attempt. */
  body?: string
  timeoutMs?: number
}>

/** What is not a complete JSON answer in time is no answer: the outcome is unknown then, never a failure (PROV-26). */
export type ProviderAnswer =
  | Readonly<{ answered: true; status: number; body: unknown }>
  | Readonly<{ answered: false; error: string }>

type CallDeps = Pick<Deps, 'outgoing' | 'providers' | 'clock' | 'tracer'>

const TIMEOUT_MS = 10 * SECOND_MS
const ANSWER_BYTES_MAX = 256 * 1024

/** Sends one signed call. The address is the operator's own choice, so any network may hold it; redirects are not followed. */
export async function callProvider(
  { outgoing, providers, clock, tracer }: CallDeps,
  { id, url, ca, environment, name }: RegisteredProvider,
  { method, path, messageId, body = '', timeoutMs = TIMEOUT_MS }: ProviderCall,
): Promise<ProviderAnswer> {
  const secrets = providers.secretsOf(id)
  if (url === null || secrets.length === 0) return noAnswer('The provider has no address any more.')
  const start = () => ({
    name: 'provider call',
    kind: 'client' as const,
    attributes: { 'http.request.method': method, 'florin.provider': name },
  })
  const answer = await inSpan(tracer, start, async (span) => {
    const answered = await outgoing[environment].fetch({
      method,
      url: `${url}${path}`,
      headers: signMessage({ id: messageId, at: clock.now(), body }, secrets),
      ...(body !== '' && { body }),
      timeoutMs,
      bodyBytesMax: ANSWER_BYTES_MAX,
      isAnyAddressAllowed: true,
      ...(ca !== null && { ca }),
    })
    span?.set(answerAttributes(answered))
    return answered
  })
  if (!answer.ok) return noAnswer(answer.message)
  if (answer.truncated) return noAnswer(`Status ${answer.status}, and the answer is too long.`)
  const json = parse(answer.body)
  return json === undefined
    ? noAnswer(`Status ${answer.status}, and the answer is not JSON.`)
    : { answered: true, status: answer.status, body: json.value }
}

const noAnswer = (error: string): ProviderAnswer => ({ answered: false, error })

function parse(body: Buffer): Readonly<{ value: unknown }> | undefined {
  try {
    return { value: JSON.parse(body.toString('utf8')) }
  } catch {
    return undefined
  }
}
