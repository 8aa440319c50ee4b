/** The text that a wallet signs to prove its holder (OWN-4). */

type OwnershipMessageInput = Readonly<{
  serviceName: string
  address: string
  /** As on the wire: `ExternalAccount:<uuid>`. */
  externalAccountId: string
  /** 128 random bits. */
  nonce: Uint8Array
  expiresAt: Date
}>

/** Wallets show and hash bytes, so nothing but printable ASCII and line ends goes in. */
function toPrintableAscii(text: string): string {
  return text.replace(/[^ -~]/gu, '?')
}

export function ownershipMessage(input: OwnershipMessageInput): string {
  return [
    `${toPrintableAscii(input.serviceName)} asks you to prove that you hold this wallet.`,
    '',
    `Address: ${toPrintableAscii(input.address)}`,
    `Account: ${input.externalAccountId}`,
    `Nonce: ${Buffer.from(input.nonce).toString('hex')}`,
    `Expires: ${input.expiresAt.toISOString()}`,
    '',
    'Signing moves no money.',
  ].join('\n')
}
