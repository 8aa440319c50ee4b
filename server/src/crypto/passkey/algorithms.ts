/** ES256, EdDSA, RS256 (chapter 20, 3.11). */
export const PASSKEY_ALGORITHMS = [-7, -8, -257] as const
export type PasskeyAlgorithm = (typeof PASSKEY_ALGORITHMS)[number]
