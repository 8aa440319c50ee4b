/** A photo with nothing in it but what decoding needs, and the size that its header states. */
export type BarePhoto = Readonly<{ width: number; height: number; bytes: Buffer }>
