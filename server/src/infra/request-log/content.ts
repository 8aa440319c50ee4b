/** What was sent and answered, as it is kept: redacted as in logs, cut, and sealed for the request. */
import { seal, unseal, type Keyring } from '../../crypto/seal.ts'
import { redact } from '../logging/redact.ts'

export type Content = Readonly<{
  query?: unknown
  request?: unknown
  response?: unknown
}>

const PURPOSE = 'request-log'
/** Of a body; the rest is cut off. */
const CHARS_MAX = 8_192
/** In a path, behind the kind of an id, or as a text of its own. */
const UUID = /(?<=[:/"])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

export type SealedContent = Readonly<{ content: Buffer; mentions: readonly string[] }>

/** The ids are those of the whole text: what stands before the cut may be about what is named behind it. */
export function sealContent(
  keyring: Keyring,
  { id, path }: Readonly<{ id: string; path: string }>,
  given: Content,
): SealedContent {
  const parts = Object.entries(given)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => [name, textOf(part)] as const)
  const text = `{${parts.map(([name, part]) => `"${name}":${cut(part)}`).join(',')}}`
  const texts = [path, ...parts.map(([, part]) => part)]
  const mentions = new Set(texts.flatMap((one) => one.match(UUID) ?? []))
  return { content: seal(keyring, PURPOSE, text, id), mentions: [...mentions] }
}

const textOf = (part: unknown): string => JSON.stringify(redact(part)) ?? 'null'

const cut = (text: string): string =>
  text.length > CHARS_MAX ? JSON.stringify(`${text.slice(0, CHARS_MAX)}[cut]`) : text

export const openContent = (keyring: Keyring, id: string, content: Buffer): Content =>
  JSON.parse(unseal(keyring, PURPOSE, content, id).toString('utf8')) as Content
