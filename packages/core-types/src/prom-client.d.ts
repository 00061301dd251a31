// Files of prom-client by themselves, 9 of its 82: whoever counts need not load what reads figures of the process.
declare module 'prom-client/lib/counter.js' {
  import { Counter } from 'prom-client'
  export = Counter
}
declare module 'prom-client/lib/gauge.js' {
  import { Gauge } from 'prom-client'
  export = Gauge
}
declare module 'prom-client/lib/histogram.js' {
  import { Histogram } from 'prom-client'
  export = Histogram
}
