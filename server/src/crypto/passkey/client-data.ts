/** The client data of WebAuthn (CollectedClientData). Its exact bytes are part of the signature. */
import { decodeBase64url } from '../encoding/base64url.ts'
import { parseJsonObject } from '../encoding/json-object.ts'

export type ClientData = Readonly<{
  bytes: Buffer
  type: unknown
  /** Undefined when it is no base64url. */
  challenge: Buffer | undefined
  origin: string
  /** The page around the frame that asked, where the browser names it. */
  topOrigin: unknown
}>

/** Undefined when it is not base64url of a JSON object. An origin that is no text is none. */
export function readClientData(clientDataJson: string): ClientData | undefined {
  const bytes = decodeBase64url(clientDataJson)
  const content = bytes && parseJsonObject(bytes)
  if (bytes === undefined || content === undefined) return undefined
  const { type, challenge, origin, topOrigin } = content
  return {
    bytes,
    type,
    challenge: typeof challenge === 'string' ? decodeBase64url(challenge) : undefined,
    origin: typeof origin === 'string' ? origin : '',
    topOrigin,
  }
}

/** A frame inside a page of another origin is refused where the browser names that page. */
export function originsAreAccepted(
  { origin, topOrigin }: ClientData,
  accepts: (origin: string) => boolean,
): boolean {
  const isTopAccepted =
    topOrigin === undefined || (typeof topOrigin === 'string' && accepts(topOrigin))
  return accepts(origin) && isTopAccepted
}
