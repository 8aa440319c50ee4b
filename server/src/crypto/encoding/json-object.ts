export type JsonObject = Readonly<Record<string, unknown>>

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The JSON object in UTF-8 bytes or text; undefined for any other JSON and for no JSON. */
export function parseJsonObject(source: Uint8Array | string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(typeof source === 'string' ? source : utf8.decode(source))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
