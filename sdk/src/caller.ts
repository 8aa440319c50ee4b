/** What the generated methods are built on, and what they take besides the request itself. */
import type { WebhookEvent } from './generated/webhook-events.ts'

/** One call of the interface, as the generated methods describe it. */
export type ApiRequest = Readonly<{
  method: string
  /** Below the version, ids already escaped. */
  path: string
  query?: object | undefined
  body?: unknown
  /** Sent as a multipart form instead of JSON. */
  form?: object | undefined
  /** Takes an `Idempotency-Key`, so that it may be sent again when no answer came. */
  isKeyed?: true
  /** Its answer shows something once: sent again under the same key, it would be answered without. */
  isShownOnce?: true
  /** May be answered with something that the owner of a wallet has to sign first. */
  isSigned?: true
  /** May be answered with "being worked on": the same request then gets the result later. */
  isProcessed?: true
  /** Takes no credentials. */
  isAnonymous?: true
}>

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, also while it waits for its next attempt. */
  signal?: AbortSignal | undefined
  /** How long one attempt may take, in milliseconds. */
  timeoutMs?: number | undefined
}

/** What a call takes that changes something. */
export interface WriteOptions extends CallOptions {
  /**
   * Names the intent: under one key there is one effect and one answer, for 24 hours. Give the name that your own
   * record has (`payout-4711`) where your process may end before the answer came; without one, a random key protects
   * the attempts of this call. What an answer shows once is not kept under a key.
   */
  idempotencyKey?: string | undefined
}

/** The stamp of a wallet's owner, and the challenge that it answers. */
export interface WalletSignature {
  stamp: string
  requestId?: string | undefined
}

/** Signs exactly this text for a wallet and answers the stamp; `stampWith` of `@florin/sdk/wallet` makes one. */
export type Sign = (payloadToSign: string) => string | Promise<string>

export interface StampedOptions extends WriteOptions {
  /** Where the stamp is at hand already. */
  signature?: WalletSignature | undefined
}

/** What a call takes that the owner of a wallet may have to sign. */
export interface SignedOptions extends StampedOptions {
  /**
   * Called with what is to be signed; the request is then sent again with the stamp. Without it such a call throws
   * `SignatureRequiredError`, whose `challenge` can be taken to the device.
   */
  sign?: Sign | undefined
}

/** One page of a list as it was answered. */
export interface PageOf<T> {
  data: T[]
  hasMore?: boolean
  nextCursor?: string
}

/**
 * A list. Awaited it is its first page; in `for await` it is every item of every page, each page asked for when it is
 * reached.
 */
export interface List<T, P extends PageOf<T> = PageOf<T>> extends PromiseLike<P>, AsyncIterable<T> {
  /** Page by page. */
  pages(): AsyncIterable<P>
  /** All items, or the first `max` of them. */
  toArray(limit?: { max?: number }): Promise<T[]>
}

/** Where a stream of events begins and when it ends. */
export interface StreamOptions {
  /** The number of the last event that was handled; `0` begins with the oldest one kept. Without one: from now on. */
  after?: string | undefined
  /** Ends the stream: the iteration throws its reason. */
  signal?: AbortSignal | undefined
}

/** An event with its number in the stream: keep it with what the event changes, and give it as `after` when you begin again. */
export interface StreamedEvent {
  sequence: string
  event: WebhookEvent
}

export type Caller = Readonly<{
  send<R>(request: ApiRequest, options?: SignedOptions): Promise<R>
  list<T, P extends PageOf<T>>(request: ApiRequest, options?: CallOptions): List<T, P>
  stream(path: string, options?: StreamOptions): AsyncIterableIterator<StreamedEvent>
}>
