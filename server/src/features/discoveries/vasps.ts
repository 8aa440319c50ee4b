// data table
/** Custodians of customers' wallets by name, in code-point order (DISC-4). */

export type Vasp = Readonly<{ vaspName: string; url?: string }>

export const VASPS: readonly Vasp[] = [
  { vaspName: 'Anchorage Digital', url: 'https://www.anchorage.com' },
  { vaspName: 'Binance', url: 'https://www.binance.com' },
  { vaspName: 'BitGo', url: 'https://www.bitgo.com' },
  { vaspName: 'Bitfinex', url: 'https://www.bitfinex.com' },
  { vaspName: 'Bithumb', url: 'https://www.bithumb.com' },
  { vaspName: 'Bitpanda', url: 'https://www.bitpanda.com' },
  { vaspName: 'Bitso', url: 'https://bitso.com' },
  { vaspName: 'Bitstamp', url: 'https://www.bitstamp.net' },
  { vaspName: 'Bitvavo', url: 'https://bitvavo.com' },
  { vaspName: 'Bybit', url: 'https://www.bybit.com' },
  { vaspName: 'Circle', url: 'https://www.circle.com' },
  { vaspName: 'Coinbase', url: 'https://www.coinbase.com' },
  { vaspName: 'Crypto.com', url: 'https://crypto.com' },
  { vaspName: 'Gate', url: 'https://www.gate.com' },
  { vaspName: 'Gemini', url: 'https://www.gemini.com' },
  { vaspName: 'HTX', url: 'https://www.htx.com' },
  { vaspName: 'HashKey Exchange', url: 'https://www.hashkey.com' },
  { vaspName: 'Kraken', url: 'https://www.kraken.com' },
  { vaspName: 'KuCoin', url: 'https://www.kucoin.com' },
  { vaspName: 'Luno', url: 'https://www.luno.com' },
  { vaspName: 'MEXC', url: 'https://www.mexc.com' },
  { vaspName: 'OKX', url: 'https://www.okx.com' },
  { vaspName: 'Paxos', url: 'https://www.paxos.com' },
  { vaspName: 'Revolut', url: 'https://www.revolut.com' },
  { vaspName: 'Robinhood', url: 'https://robinhood.com' },
  { vaspName: 'Upbit', url: 'https://upbit.com' },
  { vaspName: 'bitFlyer', url: 'https://bitflyer.com' },
  { vaspName: 'eToro', url: 'https://www.etoro.com' },
]

export const VASP_NAMES: readonly string[] = VASPS.map(({ vaspName }) => vaspName)
