/* SPDX-License-Identifier: BSD-3-Clause */
/* decode: what an instruction of x86-64 reads and writes, as the steps of a turn have it. */
#include "fold/poll/x86.h"

#if defined(__x86_64__)
/* --- operands ----------------------------------------------------------------------------------- */

enum { LONGEST = 15 };   /* bytes of an instruction */
enum { NEAR = 1 << 16 }; /* bytes from the stack pointer that certainly are of the stack */

struct look {
    struct poll_turn *turn;
    struct poll_step *step;
    const ucontext_t *u;
    const ZydisDecodedInstruction *is;
};

static uintptr_t thread_pointer(void)
{
    uintptr_t at;
    __asm__("mov %%fs:0, %0" : "=r"(at));
    return at;
}

bool x86_address(const ZydisDecodedInstruction *is, const ZydisDecodedOperand *o, const ucontext_t *u,
                 uintptr_t *address)
{
    const ZydisDecodedOperandMem *m = &o->mem;
    bool hidden = o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
    if (is->address_width != 64 || m->segment == ZYDIS_REGISTER_GS || x86_bits(m->index) > POLL_BIT(15))
        return false;
    uintptr_t at = m->disp.has_displacement ? (uintptr_t)m->disp.value : 0;
    if (m->base == ZYDIS_REGISTER_RIP)
        at += (uintptr_t)u->uc_mcontext.gregs[REG_RIP] + is->length;
    else if (m->base != ZYDIS_REGISTER_NONE)
        at += x86_value(u, m->base);
    if (m->index != ZYDIS_REGISTER_NONE)
        at += x86_value(u, m->index) * m->scale;
    if (m->segment == ZYDIS_REGISTER_FS)
        at += thread_pointer();
    if (hidden && m->base == ZYDIS_REGISTER_RSP && o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
        at = x86_value(u, ZYDIS_REGISTER_RSP) - o->size / 8; /* push, call */
    if (is->mnemonic == ZYDIS_MNEMONIC_LEAVE)
        at = x86_value(u, ZYDIS_REGISTER_RBP);
    *address = at;
    return true;
}

static bool enter_word(const struct look *l, uintptr_t at, uint8_t offset, const ZydisDecodedOperand *o,
                       bool whole)
{
    bool made, loads = o->actions & ZYDIS_OPERAND_ACTION_MASK_READ,
               stores = o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE;
    struct poll_word *w = poll_turn_word(l->turn, at, &made);
    struct poll_step *s = l->step;
    if (!w || s->n == POLL_ACCESSES || (made && !poll_peek(at, &w->first, sizeof w->first)))
        return false;
    if (made)
        w->last = w->first;
    w->input |= loads && !w->stored;
    l->turn->elsewhere += stores && !w->stored && at - x86_value(l->u, ZYDIS_REGISTER_RSP) + NEAR > 2 * NEAR;
    w->stored |= stores;
    s->access[s->n++] =
        (struct poll_access){.word = (uint16_t)(w - l->turn->word),
                             .offset = offset,
                             .load = loads,
                             .store = stores,
                             .whole = whole && !(o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE)};
    return true;
}

static bool enter_memory(const struct look *l, const ZydisDecodedOperand *o)
{
    uintptr_t at;
    size_t size = o->size / 8;
    if (!size || size > 64 || !x86_address(l->is, o, l->u, &at))
        return false;
    for (uintptr_t word = at & ~(uintptr_t)7; word < at + size; word += 8)
        if (!enter_word(l, word, word < at ? (uint8_t)(at - word) : 0, o,
                        word >= at && word + 8 <= at + size))
            return false;
    return true;
}

/* Writing 8 or 16 bits of a general register, or 128 bits by an old instruction, keeps the rest. */
static bool keeps_rest(const struct look *l, const ZydisDecodedOperand *o)
{
    ZydisRegisterClass c = x86_class(o->reg.value);
    return c == ZYDIS_REGCLASS_GPR8 || c == ZYDIS_REGCLASS_GPR16 ||
           (c == ZYDIS_REGCLASS_XMM && l->is->encoding == ZYDIS_INSTRUCTION_ENCODING_LEGACY &&
            o->size < 128) ||
           o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE;
}

static void enter_register(const struct look *l, const ZydisDecodedOperand *o)
{
    uint64_t bits = x86_bits(o->reg.value);
    if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ || keeps_rest(l, o))
        l->step->reads |= bits;
    if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) {
        l->step->writes |= bits;
        if (x86_class(o->reg.value) == ZYDIS_REGCLASS_XMM &&
            l->is->encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY)
            l->step->writes |= bits << (POLL_UPPER - POLL_VECTOR); /* becomes zero */
    }
}

static bool enter_operand(const struct look *l, const ZydisDecodedOperand *o)
{
    switch (o->type) {
    case ZYDIS_OPERAND_TYPE_REGISTER:
        enter_register(l, o);
        return true;
    case ZYDIS_OPERAND_TYPE_MEMORY:
        l->step->addresses |= x86_bits(o->mem.base) | x86_bits(o->mem.index);
        return o->mem.type != ZYDIS_MEMOP_TYPE_MEM || enter_memory(l, o);
    default:
        return true;
    }
}

/* --- the instruction ---------------------------------------------------------------------------- */

static void enter_flags(const struct look *l)
{
    enum { STATUS = 0x8d5 };
    const ZydisAccessedFlags *f = l->is->cpu_flags;
    if (!f)
        return;
    uint32_t set = f->modified | f->set_0 | f->set_1 | f->undefined;
    if (f->tested || (set && (set & STATUS) != STATUS))
        l->step->reads |= f->tested || set & STATUS ? POLL_BIT(POLL_FLAGS) : 0;
    if (set & STATUS)
        l->step->writes |= POLL_BIT(POLL_FLAGS);
}

/* "xor %eax,%eax" does not read. */
static bool clears(const ZydisDecodedInstruction *is, const ZydisDecodedOperand *o)
{
    unsigned n = is->operand_count_visible;
    switch (is->mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_PXOR:
    case ZYDIS_MNEMONIC_XORPS:
    case ZYDIS_MNEMONIC_VPXOR:
    case ZYDIS_MNEMONIC_VXORPS:
        return n >= 2 && o[n - 1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
               o[n - 2].type == ZYDIS_OPERAND_TYPE_REGISTER && o[n - 1].reg.value == o[n - 2].reg.value;
    default:
        return false;
    }
}

static uint8_t nature(const ZydisDecodedInstruction *is)
{
    switch (is->mnemonic) {
    case ZYDIS_MNEMONIC_RDTSC:
    case ZYDIS_MNEMONIC_RDTSCP:
    case ZYDIS_MNEMONIC_RDRAND:
    case ZYDIS_MNEMONIC_RDSEED:
    case ZYDIS_MNEMONIC_RDPID:
    case ZYDIS_MNEMONIC_CPUID:
    case ZYDIS_MNEMONIC_XGETBV:
        return POLL_SOURCE;
    case ZYDIS_MNEMONIC_PAUSE:
        return 0;
    default:
        break;
    }
    switch (is->meta.category) {
    case ZYDIS_CATEGORY_SYSCALL:
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_SYSTEM:
    case ZYDIS_CATEGORY_INTERRUPT:
    case ZYDIS_CATEGORY_IO:
    case ZYDIS_CATEGORY_IOSTRINGOP:
        return POLL_OPAQUE;
    case ZYDIS_CATEGORY_COND_BR:
        return POLL_BRANCH | POLL_CHOICE;
    case ZYDIS_CATEGORY_UNCOND_BR:
    case ZYDIS_CATEGORY_CALL:
    case ZYDIS_CATEGORY_RET:
        return POLL_BRANCH;
    default: /* a repeated instruction is a branch to itself */
        return is->attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE | ZYDIS_ATTRIB_HAS_REPNE)
                   ? POLL_BRANCH
                   : 0;
    }
}

/* Of the library that this is. */
extern const char __ehdr_start[] __attribute__((visibility("hidden"))),
    _end[] __attribute__((visibility("hidden")));

bool x86_decode(struct poll_turn *t, struct poll_step *s, struct x86_instruction *i, const ucontext_t *u)
{
    uintptr_t pc = (uintptr_t)u->uc_mcontext.gregs[REG_RIP];
    size_t left = base_page_size() - pc % base_page_size();
    *s = (struct poll_step){.pc = pc};
    /* up to the end of the page, behind which there may be nothing */
    i->known = left >= LONGEST ? x86_read(i, pc, LONGEST) : x86_read(i, pc, left) || x86_read(i, pc, LONGEST);
    if (!i->known) {
        s->flags = POLL_OPAQUE;
        return true;
    }
    struct look l = {t, s, u, &i->is};
    s->flags = nature(&i->is);
    if (pc >= (uintptr_t)__ehdr_start && pc < (uintptr_t)_end) {
        t->blind = true;
        return true;
    }
    for (unsigned k = 0; k < i->is.operand_count; k++)
        if (!enter_operand(&l, &i->operand[k]))
            return false;
    enter_flags(&l);
    if (clears(&i->is, i->operand))
        s->reads = 0;
    return true;
}
#endif
