import { newUuid } from '../../../src/kernel/ids.ts'
import { signMessage } from '../../../src/providers/http/sign-message.ts'
import { text, type Body } from '../api.ts'
import type { Kit } from '../florin.ts'

export type SentMessage = Readonly<{
  /** What `providers add` answered. */
  provider: Body
  /** `reports`, `deposits` … */
  path: string
  /** JSON, or text as it is. */
  body: unknown
  messageId?: string
  at?: Date
  secrets?: readonly string[]
  headers?: Readonly<Record<string, string>>
  method?: string
}>

/** Sends a message as a registered provider does: signed, to the API listener. */
export async function sendAsProvider(
  { baseUrl, florin }: Pick<Kit, 'baseUrl' | 'florin'>,
  { provider, path, body, method = 'POST', ...message }: SentMessage,
) {
  const { messageId: id = newUuid(), at = florin.deps.clock.now() } = message
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const { secrets = [text(provider['secret'])] } = message
  const url = new URL(`/providers/${text(provider['providerId'])}/${path}`, baseUrl)
  const response = await fetch(url, {
    method,
    headers: { ...signMessage({ id, at, body: sent }, secrets), ...message.headers },
    ...(method !== 'GET' && { body: sent }),
  })
  const answered = await response.text()
  const { status, headers } = response
  const isJson = headers.get('content-type')?.startsWith('application/json')
  return {
    status,
    headers,
    text: answered,
    body: (isJson ? JSON.parse(answered) : undefined) as Body,
  }
}
