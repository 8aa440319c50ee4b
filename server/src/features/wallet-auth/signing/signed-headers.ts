export type Headers = Readonly<Record<string, string | undefined>>

/** The two headers of a signed retry as they came; an empty one counts as absent (SIGN-2). */
export type SignedHeaders = Readonly<{ stamp: string | undefined; requestId: string | undefined }>

const given = (value: string | undefined): string | undefined => (value === '' ? undefined : value)

export const readSignedHeaders = (headers: Headers): SignedHeaders => ({
  stamp: given(headers['service-wallet-signature']),
  requestId: given(headers['request-id']),
})
