/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * small_elf: programs for RISC-V made by hand, for tests of what is around a core: one segment of text, one
 * of data with room behind its bytes, and symbols.
 */
#ifndef PGASIM_TESTS_RISCV_SMALL_ELF_H
#define PGASIM_TESTS_RISCV_SMALL_ELF_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SMALL_TEXT = 64, SMALL_DATA = 256, SMALL_ROOM = 8192, SMALL_SYMBOLS = 4 };
struct small_elf {
    Elf64_Ehdr header;
    Elf64_Phdr segment[2];
    uint32_t text[SMALL_TEXT];
    unsigned char data[SMALL_DATA];
    Elf64_Sym symbol[SMALL_SYMBOLS];
    char names[64];
    Elf64_Shdr section[3]; /* none, symbols, names */
};

/* `low`: where its text lies; the data follow a page later. */
static inline struct small_elf small_elf(uint64_t low)
{
    struct small_elf e = {.names = "\0start\0grid\0tohost\0__stack"};
    memcpy(e.header.e_ident, ELFMAG, SELFMAG);
    e.header.e_ident[EI_CLASS] = ELFCLASS64;
    e.header.e_ident[EI_DATA] = ELFDATA2LSB;
    e.header.e_ident[EI_VERSION] = EV_CURRENT;
    e.header.e_type = ET_EXEC;
    e.header.e_machine = EM_RISCV;
    e.header.e_version = EV_CURRENT;
    e.header.e_entry = low;
    e.header.e_phoff = offsetof(struct small_elf, segment);
    e.header.e_phentsize = sizeof(Elf64_Phdr);
    e.header.e_phnum = 2;
    e.header.e_shoff = offsetof(struct small_elf, section);
    e.header.e_shentsize = sizeof(Elf64_Shdr);
    e.header.e_shnum = 3;
    e.segment[0] = (Elf64_Phdr){.p_type = PT_LOAD,
                                .p_flags = PF_R | PF_X,
                                .p_vaddr = low,
                                .p_paddr = low,
                                .p_offset = offsetof(struct small_elf, text),
                                .p_filesz = sizeof e.text,
                                .p_memsz = sizeof e.text};
    e.segment[1] = (Elf64_Phdr){.p_type = PT_LOAD,
                                .p_flags = PF_R | PF_W,
                                .p_vaddr = low + 4096,
                                .p_paddr = low + 4096,
                                .p_offset = offsetof(struct small_elf, data),
                                .p_filesz = sizeof e.data,
                                .p_memsz = SMALL_ROOM};
    for (int k = 0; k < SMALL_TEXT; k++)
        e.text[k] = 0x00000073; /* ecall */
    for (int k = 0; k < SMALL_DATA; k++)
        e.data[k] = (unsigned char)k;
    e.symbol[0] = (Elf64_Sym){.st_name = 1,
                              .st_value = low,
                              .st_size = sizeof e.text,
                              .st_shndx = 1,
                              .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC)};
    e.symbol[1] = (Elf64_Sym){.st_name = 7,
                              .st_value = low + 4096 + 16,
                              .st_size = 32,
                              .st_shndx = 1,
                              .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT)};
    e.section[1] = (Elf64_Shdr){.sh_type = SHT_SYMTAB,
                                .sh_offset = offsetof(struct small_elf, symbol),
                                .sh_size = sizeof e.symbol,
                                .sh_link = 2,
                                .sh_entsize = sizeof(Elf64_Sym)};
    e.section[2] = (Elf64_Shdr){
        .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct small_elf, names), .sh_size = sizeof e.names};
    return e;
}

/* Names: "tohost" and "__stack" are at 12 and 19. */
static inline void small_elf_symbol(struct small_elf *e, int place, uint32_t name, uint64_t address)
{
    e->symbol[place] = (Elf64_Sym){.st_name = name,
                                   .st_value = address,
                                   .st_shndx = 1,
                                   .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_NOTYPE)};
}

/* Writes it to a new file; the caller unlinks and frees the name. NULL: it cannot be written. */
static inline char *small_elf_write(const struct small_elf *e, size_t size)
{
    char *path = strdup("/tmp/pgasim-elf-XXXXXX");
    int fd = path ? mkstemp(path) : -1;
    if (fd < 0 || write(fd, e, size) != (ssize_t)size) {
        free(path);
        return NULL;
    }
    close(fd);
    return path;
}

#endif
