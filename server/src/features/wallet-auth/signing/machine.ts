import { defineMachine } from '../../../kernel/machine.ts'

export type SignatureRequestState = 'PENDING' | 'PROCESSING' | 'SETTLED'
export type SignatureRequestEvent = 'process' | 'settle' | 'void' | 'deliver'

/**
 * A request that waits for a wallet's signature. A job settles an accepted retry that is processed asynchronously
 * (SIGN-10); an answer with sealed material is delivered once afterwards (EXPT-6). An expired request is deleted, not moved.
 */
export const signatureRequest = defineMachine<SignatureRequestState, SignatureRequestEvent>({
  name: 'signature request',
  initial: 'PENDING',
  table: {
    PENDING: { process: 'PROCESSING', settle: 'SETTLED', void: 'SETTLED' },
    PROCESSING: { settle: 'SETTLED', void: 'SETTLED' },
    SETTLED: { deliver: 'SETTLED' },
  },
})
