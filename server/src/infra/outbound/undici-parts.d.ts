/**
 * The two parts of undici that are used, loaded by themselves: the whole package would take four times as long, and put
 * its own dispatcher in the place of the one that `fetch` uses in this process.
 */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export = Client
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector } from 'undici'

  function build(
    options: buildConnector.BuildOptions,
  ): (options: buildConnector.Options, callback: buildConnector.Callback) => Socket
  export = build
}
