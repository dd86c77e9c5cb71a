// SPDX-License-Identifier: BSD-3-Clause
// timeline_view: which part of the run is seen: a window of time and one of ranks, and how it moves.

export class View {
  constructor(end, ranks) {
    this.end = end > 0 ? end : 1e-9;
    this.ranks = ranks;
    this.reset();
  }

  reset() {
    Object.assign(this, { from: 0, to: this.end, first: 0, last: this.ranks });
  }

  // Time is told apart down to what doubles still hold; at least two ranks' height is shown.
  clamp() {
    const span = Math.min(this.end, Math.max(this.to - this.from, this.end * 1e-9));
    this.from = Math.min(Math.max(0, this.from), this.end - span);
    this.to = this.from + span;
    const rows = Math.min(this.ranks, Math.max(this.last - this.first, Math.min(this.ranks, 2)));
    this.first = Math.min(Math.max(0, this.first), this.ranks - rows);
    this.last = this.first + rows;
  }

  zoomTime(factor, at = (this.from + this.to) / 2) {
    this.from = at - (at - this.from) * factor;
    this.to = at + (this.to - at) * factor;
    if (this.to - this.from >= this.end) Object.assign(this, { from: 0, to: this.end });
    this.clamp();
  }

  zoomRanks(factor, at = (this.first + this.last) / 2) {
    this.first = at - (at - this.first) * factor;
    this.last = at + (this.last - at) * factor;
    this.clamp();
  }

  pan(time, ranks) {
    const span = this.to - this.from, rows = this.last - this.first;
    this.from = Math.min(Math.max(0, this.from + time * span), this.end - span);
    this.to = this.from + span;
    this.first = Math.min(Math.max(0, this.first + ranks * rows), this.ranks - rows);
    this.last = this.first + rows;
  }

  show(from, to) {
    this.from = from;
    this.to = to;
    this.clamp();
  }

  // Some places, each with a time and a rank, and what is around them.
  around(places) {
    const times = places.map((p) => p.time), ranks = places.map((p) => p.rank);
    const from = Math.min(...times), to = Math.max(...times), first = Math.min(...ranks),
      last = Math.max(...ranks), room = Math.max((to - from) * 0.6, this.end * 0.02);
    if (first < this.first || last > this.last - 1) {
      const rows = Math.max(this.last - this.first, last - first + 3);
      this.first = (first + last + 1 - rows) / 2;
      this.last = this.first + rows;
    }
    this.show(from - room, to + room);
  }

  get whole() {
    return this.to - this.from >= this.end * 0.999999 && this.last - this.first >= this.ranks;
  }
}
